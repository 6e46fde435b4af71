import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { findPsql } from '../../scripts/stack/find-psql.ts'
import { findAnalystsPython } from '../../scripts/stack/find-python.ts'
import type { StackDescription } from '../../scripts/stack/stack-file.ts'
import { runProgram } from '../support/run-program.ts'
import { type Row, sqlOf } from './stack-sql.ts'

/** Stands for the command line program of DuckDB: answers `duckdb -c <statement>` with the rows as JSON. */
const duckdb = `
const { DuckDBInstance } = require(process.argv[1])
const answer = async () => {
  const connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect()
  console.log(JSON.stringify((await connection.runAndReadAll(process.argv[2])).getRowObjectsJson()))
}
answer()`

const text = readFileSync(join(repositoryRoot, 'docs', 'build', 'analytics.md'), 'utf8')

/**
 * The commands of docs/build/analytics.md, unchanged but for the addresses, on the demo tasks.
 * @param read the running stack
 */
export function testDocumentCommands(read: () => StackDescription): void {
  describe('docs/build/analytics.md', () => {
    test('given its commands for a shell, when run, then each is answered, and sums of the file in DuckDB are those of SQL', async () => {
      const { urls, analystUrl } = read()
      const values = { API: urls.api, GRAPHQL: urls.graphql, ANALYST_URL: analystUrl }
      const script = Object.entries(values).reduce((lines, [name, value]) => {
        const assignment = new RegExp(`^(?:export )?${name}=\\S+`, 'm')
        expect(lines).toMatch(assignment)
        return lines.replace(assignment, `export ${name}='${value}'`)
      }, blocksOf('sh').join('\n'))
      const module = join(repositoryRoot, 'node_modules', '@duckdb', 'node-api')
      const program = `duckdb() { '${process.execPath}' -e '${duckdb}' '${module}' "$2"; }`
      const words = ['--norc', '-euo', 'pipefail', '-c', `${program}\n${withoutPsql(script)}`]
      const { output, errors } = await run('bash', words)
      expect(errors).toBe('')
      const sums = await sqlOf(read())('SELECT mode, sum(reward_usdc)::float8 AS sum FROM analytics.task GROUP BY mode')
      const [line = ''] = /\[\{"mode"[^\]]*\]/.exec(output) ?? []
      const ofDuckdb: Row[] = JSON.parse(line)
      const byMode = (rows: readonly Row[]) =>
        new Map(rows.map((row) => Object.values(row)).map(([mode, sum]) => [mode, Number(sum)]))
      expect(byMode(ofDuckdb)).toEqual(byMode(sums))
      for (const part of ['"status":"completed"', '"key":"id"', '{"data":{"tasks":{"items":[{"id":"0x']) {
        expect(output).toContain(part)
      }
    })

    const python = findAnalystsPython()
    if (python !== null) {
      test('given its program in Python, when run, then its sums are those of SQL', async () => {
        const [program = ''] = blocksOf('python')
        const { output, errors } = await run(python, ['-c', program], { ANALYST_URL: read().analystUrl ?? '' })
        const [fees] = await sqlOf(read())(
          "SELECT sum(amount_units)::text AS sum FROM analytics.ledger WHERE kind = 'service_fee'",
        )
        expect([errors, output]).toEqual(['', expect.stringMatching(new RegExp(`^service_fee +${fees?.sum}$`, 'm'))])
      })
    }

    test('given its statements of SQL, when they are sent, then each is answered', async () => {
      const statements = blocksOf('sql')
      expect(statements).not.toEqual([])
      for (const statement of statements) await sqlOf(read())(statement)
    })
  })
}

function blocksOf(language: string): string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(([, block = '']) => block)
}

/** Leaves out the lines of psql where this machine does not have it. */
function withoutPsql(script: string): string {
  return findPsql() === null ? script.replaceAll(/^psql .*$/gm, '') : script
}

/** Runs a program in a folder of its own. */
async function run(program: string, args: readonly string[], environment: Record<string, string> = {}) {
  const cwd = mkdtempSync(join(tmpdir(), 'task-market-analysts-'))
  try {
    const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PAGER: 'cat', ...environment }
    const { stdout, stderr } = await runProgram(program, args, { cwd, env })
    return { output: stdout, errors: stderr }
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
}
