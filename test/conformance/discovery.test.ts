import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { connectMcp } from '../support/mcp-client.ts'
import { runProgram } from '../support/run-program.ts'
import { doStep, readSkillLines, type SkillFacts } from './skill-steps.ts'

const environment = openEnvironment()
const { baseUrl } = environment

const text = await (await fetch(`${baseUrl}/skill.md`)).text()
const steps = readSkillLines(text)
const modes = [...new Set(steps.map(({ mode }) => mode))]

describe('/skill.md', () => {
  test('is short, and has every mode', () => {
    expect(text.length).toBeLessThan(8_000)
    const created = steps.flatMap(({ body }) => JSON.parse(body).mode ?? [])
    expect(new Set(created)).toEqual(new Set(['bounty', 'claim', 'pitch', 'benchmark', 'auction']))
  })

  test.each(modes)('%s: every line does what it says, for its price, and the worker is paid', async (mode) => {
    const actors = { requester: await environment.aWallet(), worker: await environment.aWallet() }
    const facts: SkillFacts = {}
    const addresses = { requester: actors.requester.address, worker: actors.worker.address }
    const start = await environment.chain.watch(addresses)
    let last = await environment.chain.watch(addresses)
    for (const line of steps.filter((step) => step.mode === mode)) {
      if (line.waits) await environment.chain.passTime(12 * 3600)
      const { taskId, pitchId } = await doStep(environment, line, { actors, facts })
      Object.assign(facts, taskId !== undefined && { taskId }, pitchId !== undefined && { pitchId })
      const { [line.who]: change } = await last.changes()
      const isPayout = line.url.endsWith('/accept') || line.url.endsWith('/select-winner')
      if (!isPayout || line.pays !== null)
        expect([line.url, change < 0n ? -change : 0n]).toEqual([line.url, BigInt(line.pays ?? 0)])
      last = await environment.chain.watch(addresses)
    }
    const { body: task } = await environment.get(`/tasks/${facts.taskId}`)
    expect(task).toMatchObject({ status: 'completed', awardCount: 1 })
    expect((await start.changes()).worker).toBeGreaterThan(0n)
  })
})

describe('docs/build/discovery.md', () => {
  const blocks = [
    ...readFileSync(join(repositoryRoot, 'docs/build/discovery.md'), 'utf8').matchAll(/^```sh\n(.*?)^```/gms),
  ].map(([, block = '']) => block.replace(/^BASE=\S+/m, `BASE=${baseUrl}`))
  const commands = blocks.slice(1)

  test.each(commands)('%s', async (command) => {
    const run = await runProgram('bash', ['-euo', 'pipefail'], { input: `${blocks[0]}\n${command}` })
    expect([run.status, run.stderr]).toEqual([0, ''])
    expect(run.stdout).not.toBe('')
    expect(run.stdout).not.toMatch(/"error"|isError/)
  })

  test('has commands', () => {
    expect(commands.length).toBeGreaterThan(1)
  })
})

test('/mcp answers a client over HTTP', async () => {
  const taskId = await environment.createTask(await environment.aWallet())
  const client = await connectMcp({ url: `${baseUrl}/mcp` }, { era: 'modern', query: '?structured=1&tools=all' })
  const { tools } = await client.listTools()
  for (const name of ['getHealth', 'getNetwork', 'listTasks', 'listLeaderboard', 'getAgentCount', 'getExchangeRate']) {
    // The client itself compares what is answered with the schema of the tool.
    const result = await client.callTool({ name, arguments: {} })
    expect([name, result.isError ?? false]).toEqual([name, false])
  }
  const { body } = await environment.get(`/tasks/${taskId}`)
  const one = await client.callTool({ name: 'getTask', arguments: { taskId } })
  expect(one.structuredContent).toMatchObject({ data: { id: body.id, description: body.description } })
  const address = anActor().address
  for (const { name } of tools.filter(({ inputSchema }) => inputSchema.required?.join() === 'address')) {
    const result = await client.callTool({ name, arguments: { address } })
    // REST answers 404 to that one, too: the wallet has no key.
    expect([name, result.isError ?? false]).toEqual([name, name === 'getPublicKey'])
  }
  await client.close()
})
