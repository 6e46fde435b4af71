import { indexerReport, type PartReport } from '../../api/observability/readiness.ts'
import { measureLag } from '../../api/observability/sources.ts'
import { findIndexedHead, findRowsFault } from '../../api/read-model/indexed-head.queries.ts'
import { readGeneration } from '../indexer/generation.ts'
import { schemaNameOf } from '../indexer/schema-name.ts'
import { checkSettings, type SettingsReport } from '../indexer/standby.ts'
import { defineCheck, type Observation } from './check.ts'
import { withConnection } from './database-roles.ts'

type Name = 'none' | 'newer_rows' | 'late' | 'other_release' | 'cannot_start'

/** The doctor check for the rows that the indexer writes, and for the indexer's settings on this machine. */
export const indexerCheck = defineCheck<Name>({
  name: 'indexer',
  looksAt:
    'the rows: complete, as new as the chain, of this release; where the indexer is set up, what it needs to start',
  follows: ['database', 'logins', 'chain', 'settings'],
  faults: {
    none: {
      result: 'warning',
      meaning: 'there are no rows yet',
      remedy: 'Start the indexer: npm run indexer.',
    },
    newer_rows: {
      result: 'wrong',
      meaning: 'the rows are of a newer release',
      remedy: 'Start a service of that release.',
    },
    late: {
      result: 'wrong',
      meaning: 'the rows are not those of now',
      remedy: 'Look whether the indexer runs, at its log, and at its node. While it indexes the chain, wait.',
    },
    other_release: {
      result: 'warning',
      meaning: 'the rows that are served are not those that an indexer of this release writes',
      remedy:
        'Start the indexer of this release: it writes its rows beside those that are served, and then serves them.',
    },
    cannot_start: {
      result: 'wrong',
      meaning: 'the indexer could not start',
      remedy: 'Correct RPC_URL, DEPLOYMENT_FILE or DATABASE_URL, as the finding says.',
    },
    no_answer: {
      result: 'wrong',
      meaning: 'the rows could not be read',
      remedy: 'Look at the load of the node and of the database, and run doctor again.',
    },
  },
  find: async (context) => {
    const { rows, programs, config, deploymentFile } = context
    if (rows === null) return [{ unchecked: 'no database with rows is set here' }]
    const { DATABASE_URL: indexerUrl, RPC_URL: [rpcUrl] = [] } = programs.indexer.values
    const isOwnIndexer = programs.indexer.isSet && indexerUrl !== config?.DATABASE_URL
    const settings =
      isOwnIndexer && indexerUrl !== undefined && rpcUrl !== undefined && deploymentFile !== null
        ? await withConnection(indexerUrl, (sql) => checkSettings({ rpcUrl, deploymentFile, sql }))
        : null
    const observations = settings === null ? [] : judgeStart(settings)
    const [view] = await rows<{ exists: boolean }[]>`select to_regclass('market.indexed_head') is not null as exists`
    const head = view?.exists === true ? await findIndexedHead(rows) : null
    if (head === null) return [...observations, { fault: 'none' }]
    const fault = findRowsFault(head)
    if (fault !== null) return [...observations, { fault: 'newer_rows', detail: fault }]
    const chainAccess = await context.openChain().catch(() => null)
    if (chainAccess === null)
      return [...observations, { unchecked: `the rows are of block ${head.blockNumber}; no node is set here` }]
    const { chain } = chainAccess
    const report = indexerReport({ ok: true, value: await measureLag(rows, chain), at: Date.now(), milliseconds: 0 })
    const expected =
      isOwnIndexer && indexerUrl !== undefined && deploymentFile !== null
        ? await withConnection(indexerUrl, async (sql) =>
            schemaNameOf(deploymentFile, { generation: await readGeneration(sql) }),
          )
        : null
    return [...observations, ...judgeRows(report, { served: head.schemaVersion, expected })]
  },
})

/** Reports the reasons why an indexer with these settings could not start. */
export function judgeStart(settings: SettingsReport): Observation<Name>[] {
  const faults = Object.values(settings).flatMap(({ reason }): Observation<Name>[] =>
    reason === undefined ? [] : [{ fault: 'cannot_start', detail: reason }],
  )
  return faults.length > 0 ? faults : [{ ok: 'the indexer can start: node, market and database' }]
}

/**
 * Checks whether the rows are up to date. Also checks whether the schema that readers get is the schema to which an
 * indexer of this release writes.
 * @param report the indexer's part of the readiness report
 * @param served name of the schema from which rows are served
 * @param expected name of the schema to which an indexer of this release would write; null if no indexer is set up on
 * this machine
 */
export function judgeRows(
  report: PartReport,
  { served, expected }: { served: string; expected: string | null },
): Observation<Name>[] {
  const observations: Observation<Name>[] = []
  if (report.status === 'ok')
    observations.push({ ok: `rows of ${served}: block ${report.block}, ${report.blocksBehind} behind the chain` })
  else
    observations.push({
      fault: 'late',
      detail: `${report.reason} (block ${report.block}, ${report.blocksBehind} behind)`,
    })
  if (expected !== null && expected !== served)
    observations.push({ fault: 'other_release', detail: `${served} is served, and this release writes ${expected}` })
  return observations
}
