import type { ChainClocks } from '../chain/chain.ts'
import type { Config } from '../config.ts'
import { isHeadStale } from '../domain/windows.ts'
import type { Probed } from './probe.ts'
import type { IndexerLag, RelayerState, Sources } from './sources.ts'

/** How one part is. `degraded` is told and keeps the process in service. */
export interface PartReport {
  status: 'ok' | 'degraded' | 'failed'
  /** Why it is not `ok`: one sentence. */
  reason?: string
  [fact: string]: unknown
}

/** The body of `GET /ready`. */
export interface ReadinessReport {
  status: 'ready' | 'degraded' | 'unready' | 'draining'
  /** False: reads are answered and writes are refused, since the newest block is old. */
  writes: boolean
  checks: Record<string, PartReport>
}

/** Whether this process should get requests. */
export interface Readiness {
  report(): Promise<ReadinessReport>
  /** From now on it is not ready, whatever the parts say: the process is about to end. */
  drain(): void
  isDraining(): boolean
}

/**
 * Database, chain and indexer must answer: without one of them no read is right and no write is admitted.
 * Underfunded relayers only delay writes, and without storage only files cannot be stored or read: both are reported,
 * and the process stays in service.
 */
export function createReadiness(
  sources: Sources,
  { READY_LAG_SECONDS, isLocal }: Pick<Config, 'READY_LAG_SECONDS'> & { isLocal: boolean },
): Readiness {
  let draining = false
  return {
    drain: () => {
      draining = true
    },
    isDraining: () => draining,
    report: async () => {
      if (draining) return { status: 'draining', writes: false, checks: {} }
      const [database, chain, indexer, relayers, storage] = await Promise.all([
        sources.database(),
        sources.chain(),
        sources.indexer(),
        sources.relayers(),
        sources.storage(),
      ])
      const checks = {
        database: answering(database, 'the database'),
        chain: chainReport(chain, isLocal),
        indexer: indexerReport(indexer, READY_LAG_SECONDS),
        relayers: relayersReport(relayers),
        storage: storageReport(storage),
      }
      const isStale = chain.ok && checks.chain.status === 'failed'
      const others = Object.entries(checks).flatMap(([name, check]) => (isStale && name === 'chain' ? [] : [check]))
      const status = summaryOf(others)
      // Rows are as right as before: readers stay in service.
      const summary = isStale && status === 'ready' ? 'degraded' : status
      return { status: summary, writes: summary !== 'unready' && !isStale, checks }
    },
  }
}

function answering(probed: Probed<unknown>, name: string): PartReport {
  if (probed.ok) return { status: 'ok', milliseconds: probed.milliseconds }
  const reason = probed.problem === 'timeout' ? `${name} did not answer in time` : `${name} answered with an error`
  return { status: 'failed', reason }
}

/** A head that stands still is a failed part, but on a local chain, which may be idle. */
function chainReport(probed: Probed<ChainClocks>, isLocal: boolean): PartReport {
  const report = answering(probed, 'the chain')
  if (!probed.ok) return report
  const { head, clocks } = probed.value
  const facts = { block: Number(head.number), headAgeSeconds: Number(clocks.current - clocks.head) }
  if (isLocal || !isHeadStale(clocks)) return { ...report, ...facts }
  const reason = 'the newest block is more than 60 s from the host’s clock: the node or the chain stands still'
  return { status: 'failed', reason, ...facts }
}

function indexerReport(probed: Probed<IndexerLag>, mostSeconds: number): PartReport {
  if (!probed.ok) return answering(probed, 'what tells how far the indexer is')
  const { blocks, seconds } = probed.value
  const lag = { blocksBehind: blocks, secondsBehind: seconds }
  if (seconds <= mostSeconds) return { status: 'ok', ...lag }
  return { status: 'failed', reason: `the indexer is more than ${mostSeconds} s behind the chain`, ...lag }
}

function relayersReport(probed: Probed<RelayerState[]>): PartReport {
  if (!probed.ok) return { ...answering(probed, 'what tells the relayers’ money'), status: 'degraded' }
  const poor = probed.value.filter(({ isUnderfunded }) => isUnderfunded).map(({ address }) => address)
  if (poor.length === 0) return { status: 'ok' }
  return { status: 'degraded', reason: 'too little ether for one more write', poor }
}

function storageReport(probed: Probed<void>): PartReport {
  const report = answering(probed, 'the file storage')
  return report.status === 'failed' ? { ...report, status: 'degraded' } : report
}

function summaryOf(parts: readonly PartReport[]): ReadinessReport['status'] {
  if (parts.some(({ status }) => status === 'failed')) return 'unready'
  return parts.some(({ status }) => status === 'degraded') ? 'degraded' : 'ready'
}
