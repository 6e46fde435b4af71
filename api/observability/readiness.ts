import { isHeadStale } from '../../protocol/windows.ts'
import type { ChainClocks } from '../chain/chain.ts'
import type { NodeState } from '../nodes/node-pool.ts'
import { type Books, differencesOf } from '../read-model/books.queries.ts'
import { describeMissingRows } from '../read-model/missing-rows.ts'
import type { Probed } from './probe.ts'
import type { IndexerLag, RelayerState, Sources } from './sources.ts'

/**
 * The largest lag of the indexer's rows behind the latest block, in seconds of block time. With a larger lag, the
 * process is not ready.
 */
const MOST_LAG_SECONDS = 60

/** The state of one part of the service. If a part is `degraded`, the process still serves requests. */
export interface PartReport {
  status: 'ok' | 'degraded' | 'failed'
  /** The reason why the part is not `ok`, one sentence. */
  reason?: string
  [fact: string]: unknown
}

type PartName = 'database' | 'databaseWrites' | 'chain' | 'nodes' | 'indexer' | 'relayers' | 'storage' | 'books'

/** The body of `GET /ready`. */
export interface ReadinessReport {
  status: 'ready' | 'degraded' | 'unready' | 'draining'
  /**
   * True if the process accepts writes. If false, every write is refused with 503. Reads are still correct, unless
   * `status` is `unready`.
   */
  writes: boolean
  checks: Record<string, PartReport>
}

/** The check of whether this process can serve requests. */
export interface Readiness {
  report(): Promise<ReadinessReport>
  /** Makes every later report `draining`. Called before the process ends. */
  drain(): void
  isDraining(): boolean
}

/**
 * Creates the readiness check. It reports one of these states:
 * - `unready`: the database does not answer, or the indexer's rows cannot be used.
 * - `degraded`: any other part is not `ok`. Reads continue. If the database is not writable, no node works or no
 * relayer has ether, writes are refused. If the file storage does not work, only requests for files fail. If rows and
 * contracts differ, the check only reports the differences. The operator decides which rows are wrong.
 * - `draining`: the process is about to end.
 * - `ready`: every part is `ok`.
 */
export function createReadiness(
  sources: Sources,
  { isLocal, readNodes }: { isLocal: boolean; readNodes: () => NodeState[] },
): Readiness {
  const startedAt = performance.now()
  let isDraining = false
  return {
    drain: () => {
      isDraining = true
    },
    isDraining: () => isDraining,
    report: async () => {
      if (isDraining) return { status: 'draining', writes: false, checks: {} }
      const [database, databaseWrites, chain, indexer, relayers, storage, books] = await Promise.all([
        sources.database(),
        sources.databaseWrites(),
        sources.chain(),
        sources.indexer(),
        sources.relayers(),
        sources.storage(),
        sources.books(),
      ])
      const checks = {
        database: answering(database, 'the database'),
        databaseWrites: answering(databaseWrites, 'a write to the database'),
        chain: chainReport(chain, isLocal),
        nodes: nodesReport(readNodes()),
        indexer: indexerReport(indexer),
        relayers: relayersReport(relayers),
        storage: storageReport(storage),
        books: booksReport(books, performance.now() - startedAt),
      }
      return { status: summaryOf(checks), writes: admitsWrites(checks), checks }
    },
  }
}

function answering(probe: Probed<unknown>, name: string): PartReport {
  if (probe.ok) return { status: 'ok', milliseconds: probe.milliseconds }
  const reason = probe.problem === 'timeout' ? `${name} did not answer in time` : `${name} answered with an error`
  return { status: 'failed', reason }
}

/**
 * Reports the chain. The part fails if the latest block's timestamp is more than 60 seconds from the host's clock. A
 * local chain is exempt, because it may be idle.
 */
function chainReport(probe: Probed<ChainClocks>, isLocal: boolean): PartReport {
  const report = answering(probe, 'the chain')
  if (!probe.ok) return report
  const { head, clocks } = probe.value
  const facts = { block: Number(head.number), headAgeSeconds: Number(clocks.current - clocks.head) }
  if (isLocal || !isHeadStale(clocks)) return { ...report, ...facts }
  const reason = 'the newest block is more than 60 s from the host’s clock: the node or the chain stands still'
  return { status: 'failed', reason, ...facts }
}

/**
 * Reports the nodes. The part is `degraded` if at least one node is unusable. If all nodes are unusable, the part
 * `chain` also fails.
 */
function nodesReport(states: readonly NodeState[]): PartReport {
  const nodes = states.map(({ node, verdict, isCurrent, block }) => ({
    node,
    verdict,
    current: isCurrent,
    block: block === null ? null : Number(block),
  }))
  const unusableNodes = states.filter(({ verdict }) => verdict !== 'ok').map(({ node }) => node)
  if (unusableNodes.length === 0) return { status: 'ok', nodes }
  return { status: 'degraded', reason: `not usable of the nodes: ${unusableNodes.join(', ')}`, nodes }
}

/** Reports the indexer's rows. The part fails if rows are missing or too far behind the chain. */
export function indexerReport(probe: Probed<IndexerLag>): PartReport {
  if (!probe.ok) return answering(probe, 'what tells how far the indexer is')
  const { blocks, seconds, head } = probe.value
  const lag = { blocksBehind: blocks, secondsBehind: seconds, block: Number(head.blockNumber) }
  if (!head.ready) {
    const facts = head.recoversTo === null ? {} : { recoversTo: Number(head.recoversTo) }
    return { status: 'failed', reason: describeMissingRows(head), ...lag, ...facts }
  }
  if (seconds <= MOST_LAG_SECONDS) return { status: 'ok', ...lag }
  return { status: 'failed', reason: `the indexer is more than ${MOST_LAG_SECONDS} s behind the chain`, ...lag }
}

/**
 * The number of successive failures with which a signer counts as broken. A signature resets the number to 0. One or
 * two failures are not enough, because they may have happened long ago.
 */
const SIGNER_DOWN_FROM = 3

function relayersReport(probe: Probed<RelayerState[]>): PartReport {
  if (!probe.ok) return { ...answering(probe, 'what tells the relayers’ money'), status: 'degraded' }
  const addressesOf = (isMeant: (state: RelayerState) => boolean) =>
    probe.value.filter(isMeant).map(({ address }) => address)
  const poorRelayers = addressesOf(({ isUnderfunded }) => isUnderfunded)
  const unsignedRelayers = addressesOf(({ signerFailures }) => signerFailures >= SIGNER_DOWN_FROM)
  const reasons = [
    ...(poorRelayers.length > 0 ? ['too little ether for one more write'] : []),
    ...(unsignedRelayers.length > 0 ? ['a signer gives no signatures'] : []),
  ]
  if (reasons.length === 0) return { status: 'ok' }
  return {
    status: poorRelayers.length === probe.value.length ? 'failed' : 'degraded',
    reason: reasons.join('; '),
    ...(poorRelayers.length > 0 && { poor: poorRelayers }),
    ...(unsignedRelayers.length > 0 && { unsigned: unsignedRelayers }),
  }
}

function storageReport(probe: Probed<void>): PartReport {
  const report = answering(probe, 'the file storage')
  return report.status === 'failed' ? { ...report, status: 'degraded' } : report
}

/**
 * The age in seconds at which the last comparison of rows and contracts counts as missing. Comparisons run every few
 * seconds.
 */
const MAX_BOOKS_AGE = 300
/** The largest number of differences between rows and contracts in a report. The log has all of them. */
const MAX_DIFFERENCES = 10

/**
 * Reports the comparison of database rows with the contracts.
 * @param uptimeMs the process's uptime in milliseconds; if no comparison was made yet, the uptime counts as the age of
 * the last comparison
 */
export function booksReport(probe: Probed<Books>, uptimeMs: number): PartReport {
  if (!probe.ok) return { ...answering(probe, 'what tells the books'), status: 'degraded' }
  const { sumsAge, tasksAge } = probe.value
  const differences = differencesOf(probe.value)
  if (differences.length > 0) {
    const sums = [...new Set(differences.map(({ sum }) => sum))]
    const reason = `rows and contracts differ in ${sums.join(', ')}`
    return { status: 'degraded', reason, differences: differences.slice(0, MAX_DIFFERENCES) }
  }
  const age = Math.max(sumsAge ?? uptimeMs / 1000, tasksAge ?? uptimeMs / 1000)
  if (age <= MAX_BOOKS_AGE) return { status: 'ok' }
  return { status: 'degraded', reason: `rows and contracts were not compared for ${MAX_BOOKS_AGE} s` }
}

/** The parts of the service that every read needs. */
const readParts: readonly PartName[] = ['database', 'indexer']
/** The parts of the service that every write needs. */
const writeParts: readonly PartName[] = [...readParts, 'databaseWrites', 'chain', 'relayers']

function summaryOf(checks: Record<PartName, PartReport>): ReadinessReport['status'] {
  if (readParts.some((name) => checks[name].status === 'failed')) return 'unready'
  return Object.values(checks).some(({ status }) => status !== 'ok') ? 'degraded' : 'ready'
}

function admitsWrites(checks: Record<PartName, PartReport>): boolean {
  return writeParts.every((name) => checks[name].status !== 'failed')
}
