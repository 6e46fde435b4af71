import type { Figure } from '../../../scripts/figures/figure.ts'
import { counted, estimated } from '../figures/figures.ts'
import type { BlockResult, LatencyResult, LoserResult, RaceResult, ThroughputResult } from './measure.ts'

export interface Results {
  latency: LatencyResult
  blocks: BlockResult
  throughput: ThroughputResult
  /** The same on a chain with a steady rate. */
  steadyThroughput: ThroughputResult
  losers: LoserResult
  races: RaceResult
}

/** Goals of the losers' p99 by the requests at once, milliseconds. */
const MOST_OF_LOSERS_MS: Readonly<Record<number, number>> = { 16: 20, 64: 80 }

/** Lists the figures of the results. Automine throughput has no goal: there the indexer's blocks a second are the limit. */
export function figuresOf({ latency, blocks, throughput, steadyThroughput, losers, races }: Results): Figure[] {
  const { requestToSigned, signedToCompleted, completedToAnswer } = latency.stages
  const extraBlocks = blocks.serviceBlocks.median - blocks.bareBlocks.median
  return [
    estimated('paid write less bare transaction, mined at once, ms', latency.difference, { most: 30 }),
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
    counted('a duplicate learns that the write is done, p99, ms', losers.alone, { most: 10 }),
    ...losers.storms.flatMap(({ size, p99 }) => [
      counted(`duplicates of ${size} at once, p99, ms`, p99, { most: MOST_OF_LOSERS_MS[size] ?? 10 }),
      counted(`duplicates of ${size} at once, p99, by a paid write alone`, p99 / latency.service.median),
    ]),
    counted('an acceptance of a task alone, ms', races.alone),
    ...races.races.flatMap(({ size, p50, p99, relayed }) => [
      counted(`losers of ${size} for one task, p99, ms`, p99, { most: MOST_OF_LOSERS_MS[size] ?? 10 }),
      counted(`losers of ${size} for one task, p50, ms`, p50),
      counted(`losers of ${size} for one task, p99, by an acceptance alone`, p99 / races.alone),
      counted(`losers of ${size} for one task that reached the chain`, relayed),
    ]),
  ]
}
