import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { findPsql } from '../../scripts/stack/find-psql.ts'
import { findAnalystsPython } from '../../scripts/stack/find-python.ts'
import type { StackDescription } from '../../scripts/stack/stack-file.ts'
import { runProgram } from '../support/run-program.ts'
import { type Row, sqlOf } from './stack-sql.ts'

/** Commands of psql; `\l` is left out, for the catalogs of databases differ between versions. */
const psqlCommands = [
  '\\d+',
  '\\dt',
  '\\dn',
  '\\dn+',
  '\\dv',
  '\\dv+ analytics.*',
  '\\d task',
  '\\d+ market.task',
  '\\d+ analytics.ledger',
  '\\sv analytics.ledger',
  '\\du',
  '\\dp',
  '\\df',
  '\\dT',
  '\\copy (SELECT * FROM analytics.ledger) TO /dev/null CSV HEADER',
]

/**
 * Programs of analysts on the demo tasks, by the login and over HTTP.
 * @param read the running stack
 */
export function testAnalystsClients(read: () => StackDescription): void {
  const analystUrl = () => read().analystUrl ?? expect.fail('the stack has no standby')

  describe('programs of analysts', () => {
    const psql = findPsql()
    if (psql !== null) {
      test('given psql, when it lists and describes what there is, then each command is answered, with the comments', async () => {
        const commands = psqlCommands.flatMap((command) => ['-c', command])
        const words = [analystUrl(), '-X', '-v', 'ON_ERROR_STOP=1', ...commands]
        const { status, stdout, stderr } = await runProgram(psql, words)
        // No table is there: all are views.
        expect([status, stderr]).toEqual([0, expect.stringMatching(/^(Did not find any relations\.\n)?$/)])
        for (const text of [
          'View "market.task"',
          'View "analytics.ledger"',
          '32-byte task id.',
          'One row per movement of money',
          'Views for people',
          'CREATE OR REPLACE VIEW analytics.ledger',
        ]) {
          expect(stdout).toContain(text)
        }
      })
    }

    const python = findAnalystsPython()
    if (python !== null) {
      test('given SQLAlchemy and pandas, when they inspect and read, then they find the views, and sums of 18 decimals are exact', async () => {
        const path = join(repositoryRoot, 'test/stack/analysts-clients.py')
        const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ANALYST_URL: analystUrl() }
        const { status, stdout, stderr } = await runProgram(python, [path], { env })
        expect([status, stderr]).toEqual([0, ''])
        const [sums] = await sqlOf(read())(
          `SELECT trim_scale(sum(amount_units) FILTER (WHERE kind = 'funded')) AS funded,
             sum(amount) FILTER (WHERE kind = 'bonus_credited') AS bonus, count(*)::int AS rows FROM analytics.ledger`,
        )
        expect(JSON.parse(stdout)).toEqual({
          schemas: ['analytics', 'market'],
          tables: [],
          views: expect.arrayContaining(['ledger']),
          comment: expect.stringContaining('One row per movement of money'),
          reward: ['NUMERIC(78, 0)', expect.stringContaining('base units')],
          constraints: [[], [], []],
          definition: true,
          funded: sums?.funded,
          sum: sums?.bonus,
          times: 'datetime64[ns, UTC]',
          rows: [sums?.rows, sums?.rows],
        })
      })
    }

    test('given the schema over HTTP, then keys are unique, columns that say so are never null, and each reference is found', async () => {
      const response = await fetch(`${read().urls.sql}/schema`)
      const { tables } = (await response.json()) as { tables: TableShown[] }
      const faults = tables.flatMap((table) => faultsOf(`${table.schema}.${table.name}`, table))
      expect(faults.length).toBeGreaterThan(100)
      const sql = sqlOf(read())
      const faultsOfRows: Row[] = []
      // A statement has at most 8 kB.
      for (let start = 0; start < faults.length; start += 30) {
        faultsOfRows.push(
          ...(await sql(`SELECT * FROM (${faults.slice(start, start + 30).join(' UNION ALL ')}) AS f WHERE n > 0`)),
        )
      }
      expect(faultsOfRows).toEqual([])
    })
  })
}

interface TableShown {
  schema: string
  name: string
  key: string | null
  columns: { name: string; nullable: boolean | null; references: string | null }[]
}

/** Statements that count rows for which the schema is wrong. */
function faultsOf(table: string, { key, columns }: TableShown): string[] {
  const count = (what: string, query: string) =>
    `SELECT '${table}.${what}' AS fault, (SELECT count(*) ${query})::int AS n`
  const unique =
    key === null
      ? []
      : [`SELECT '${table}.${key} key' AS fault, count(*)::int - count(DISTINCT ${key})::int AS n FROM ${table}`]
  const required = columns.filter(({ nullable }) => nullable === false).map(({ name }) => `"${name}" IS NULL`)
  const present = required.length === 0 ? [] : [count('null', `FROM ${table} WHERE ${required.join(' OR ')}`)]
  const references = columns.flatMap(({ name, references: target }) => {
    if (target === null) return []
    const [schema, other, otherKey] = target.split('.')
    return [
      count(
        name,
        `FROM ${table} AS a WHERE a."${name}" IS NOT NULL AND NOT EXISTS (SELECT FROM ${schema}.${other} AS b WHERE b.${otherKey} = a."${name}")`,
      ),
    ]
  })
  return [...unique, ...present, ...references]
}
