import type { Figure } from '../../../scripts/figures/figure.ts'
import { counted, estimated } from '../figures/figures.ts'
import type { BlockResult, LatencyResult, LoserResult, ThroughputResult } from './measure.ts'
import type { BytesResult } from './measure-bytes.ts'

export interface Results {
  latency: LatencyResult
  blocks: BlockResult
  throughput: ThroughputResult
  /** The same on a chain with a steady rate. */
  steadyThroughput: ThroughputResult
  losers: LoserResult
  bytes: BytesResult
}

/** Lists the figures of the results. Automine throughput has no goal: there the indexer's blocks a second are the limit. */
export function figuresOf({ latency, blocks, throughput, steadyThroughput, losers, bytes }: Results): Figure[] {
  const { requestToSigned, signedToCompleted, completedToAnswer } = latency.stages
  const extraBlocks = blocks.serviceBlocks.median - blocks.bareBlocks.median
  return [
    estimated('paid write less bare transaction, mined at once, ms', latency.difference, { most: 40 }),
    estimated('paid write, mined at once, ms', latency.service),
    counted('of it until signed, ms', requestToSigned),
    counted('of it from signed to completed, ms', signedToCompleted),
    counted('of it from completed to indexed and answered, ms', completedToAnswer),
    counted('blocks until a paid write is in one, beyond a bare one, 2 s', extraBlocks, { most: 0 }),
    estimated('its answer after the receipt of a bare one, ms', blocks.answerAfterReceipt, { most: 2_000 }),
    estimated('paid writes a second by bare ones, blocks 2 s apart', steadyThroughput.ratio, { least: 0.8 }),
    estimated('paid writes a second, blocks 2 s apart', steadyThroughput.service),
    estimated('paid writes a second by bare ones, mined at once', throughput.ratio),
    estimated('paid writes a second, mined at once', throughput.service),
    estimated('blocks of one transaction indexed a second', throughput.indexer),
    counted('a duplicate learns that the write is done, p99, ms', losers.alone.p99, { most: 10 }),
    ...losers.storms.map(({ size, p99 }) => counted(`losers of ${size} at once, p99, ms`, p99, { most: 10 })),
    counted('bytes of the service a write', bytes.servicePerWrite),
    counted('bytes of the served history an event', bytes.historyPerEvent),
  ]
}
