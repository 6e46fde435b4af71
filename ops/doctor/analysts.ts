import { createEngine } from '../../api/analytics/engine.ts'
import { QueryFailed } from '../../api/analytics/query-failure.ts'
import { MARKET_SCHEMA } from '../../api/db/client.ts'
import { findIndexedHead } from '../../api/read-model/indexed-head.queries.ts'
import type { SettingsOf } from '../../settings/table.ts'
import { defineCheck, type Observation } from './check.ts'
import { withConnection } from './database-roles.ts'
import { describeFailure } from './describe-failure.ts'

type Name = 'refused' | 'late' | 'no_views'

/**
 * The number of seconds that the analysts' newest block may be older than the primary database's newest block. Above
 * this number, the check warns.
 */
const MOST_LAG_SECONDS = 60

/**
 * Time limit for the test query, in milliseconds. This limit includes the start of the engine's process, and is
 * therefore longer than the limit of the service for an analyst's query.
 */
const DEADLINE_MS = 25_000
/** Maximum size of the database's plan of the test query, in bytes. */
const MOST_BYTES = 1_000_000
const query = { text: 'SELECT count(*) FROM indexed_head', parameters: [] }

/** The doctor check for the engine that plans and runs the analysts' SQL. */
export const analystsCheck = defineCheck<Name>({
  name: 'analysts',
  looksAt:
    'the engine of analysts’ SQL: its process plans a query on READER_DATABASE_URL, whose rows are as new as those of the primary; the schema of GraphQL',
  timeLimitMs: 30_000,
  faults: {
    refused: {
      result: 'wrong',
      meaning: '... answers no query',
      remedy: 'docs/operate/standby.md: READER_DATABASE_URL is a standby on the login market_reader.',
    },
    late: {
      result: 'warning',
      meaning: '... answers with old rows',
      remedy: 'Look whether the standby receives the log of its primary: its own log, and that of its keeper, say so.',
    },
    no_views: {
      result: 'wrong',
      meaning: '... names a schema without views of the indexer',
      remedy: 'Correct MARKET_SCHEMA of GraphQL, or leave it out: the indexer makes its views in market.',
    },
    no_answer: {
      result: 'wrong',
      meaning: 'the engine gave no answer',
      remedy: 'Look at the load of this machine and of the standby.',
    },
  },
  find: async ({ config, programs, rows }) => {
    const { READER_DATABASE_URL: readerUrl } = config ?? {}
    const views = await findViewsFault(programs.graphql.values)
    if (readerUrl === undefined)
      return [...views, { unchecked: 'READER_DATABASE_URL is not set: POST /api/sql answers 503' }]
    const engine = createEngine()
    try {
      const database = { url: readerUrl, schema: MARKET_SCHEMA }
      const task = { database, query, deadlineMs: DEADLINE_MS, maxBytes: MOST_BYTES }
      const { snapshot } = await engine.run(task, undefined).result
      const newestHead = rows === null ? null : await findIndexedHead(rows).catch(() => null)
      return [...views, ...judgeSnapshot(snapshot?.blockTimestamp ?? null, newestHead?.blockTimestamp ?? null)]
    } catch (error) {
      const detail = error instanceof QueryFailed ? error.message : describeFailure(error)
      return [...views, { fault: 'refused', of: 'READER_DATABASE_URL', detail }]
    } finally {
      await engine.stop()
    }
  },
})

/**
 * Returns a fault if `MARKET_SCHEMA` of GraphQL names a schema without the indexer's views. Returns no fault for an
 * unreachable database; another check reports such a database.
 */
export async function findViewsFault({
  READER_DATABASE_URL: url,
  MARKET_SCHEMA: schema = MARKET_SCHEMA,
}: Partial<SettingsOf<'graphql'>>): Promise<Observation<Name>[]> {
  if (url === undefined || schema === MARKET_SCHEMA) return []
  const probe = withConnection(url, async (sql) => {
    const [view] = await sql`select to_regclass(${`${schema}.indexed_head`}) is not null as exists`
    return view?.exists === true
  })
  // Another finding covers an unreachable database.
  const exists = await probe.catch(() => true)
  return exists ? [] : [{ fault: 'no_views', of: 'MARKET_SCHEMA', detail: schema }]
}

/**
 * Compares the age of the analysts' rows with the age of the primary's rows.
 * @param time time of the latest block in the analysts' rows, in Unix seconds; null if there are no rows
 * @param newestTime time of the latest block in the primary's rows, in Unix seconds; null if there are no rows
 */
export function judgeSnapshot(time: bigint | null, newestTime: bigint | null): Observation<Name>[] {
  const behind = newestTime === null ? 0 : Number(newestTime - (time ?? 0n))
  if (time === null && newestTime !== null)
    return [{ fault: 'late', of: 'READER_DATABASE_URL', detail: 'it has no rows' }]
  if (behind > MOST_LAG_SECONDS)
    return [
      {
        fault: 'late',
        of: 'READER_DATABASE_URL',
        detail: `its newest block is ${behind} s older than that of the primary`,
      },
    ]
  return [{ ok: 'a query was planned on READER_DATABASE_URL' }]
}
