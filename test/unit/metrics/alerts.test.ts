import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { readAlerts } from '../../../scripts/metrics/read-alerts.ts'
import { findPromtool } from '../../../scripts/stack/find-promtool.ts'

const folder = join(repositoryRoot, 'ops', 'prometheus')
const alerts = readAlerts()
const sections = ['What you see', 'What it means', 'What users see', 'Do this', 'Check that']

test('every alert has its page, which names it and has the five parts', () => {
  for (const { name, runbook } of alerts) {
    const path = join(repositoryRoot, runbook)
    expect(existsSync(path), runbook).toBe(true)
    const text = readFileSync(path, 'utf8')
    expect(text, runbook).toContain(`\`${name}\``)
    const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading)
    expect(headings, runbook).toEqual(expect.arrayContaining(sections))
  }
})

test('every alert has a case in which it does not fire, and one in which it does', () => {
  interface Case {
    expr: string
    exp_samples: unknown[]
  }
  const file: { tests: { promql_expr_test: Case[] }[] } = parse(readFileSync(join(folder, 'rules.test.yml'), 'utf8'))
  const cases = file.tests.flatMap(({ promql_expr_test }) => promql_expr_test)
  const lacking = alerts.flatMap(({ name }) => {
    const expr = `count by (alertname) (ALERTS{alertname="${name}", alertstate="firing"})`
    const expected = cases.filter((each) => each.expr === expr).map(({ exp_samples }) => exp_samples.length)
    return expected.includes(0) && expected.includes(1) ? [] : [name]
  })
  expect(lacking).toEqual([])
  expect(new Set(alerts.map(({ name }) => name)).size).toBe(alerts.length)
})

test.runIf(findPromtool() !== null)(
  'promtool accepts the rules, their cases and the configuration',
  async () => {
    const run = (...args: string[]) => promisify(execFile)(findPromtool() ?? '', args, { cwd: folder })
    await run('check', 'rules', 'rules.yml')
    await run('check', 'config', 'prometheus.yml')
    const { stdout, stderr } = await run('test', 'rules', 'rules.test.yml')
    expect(`${stdout}${stderr}`).toContain('SUCCESS')
  },
  60_000,
)
