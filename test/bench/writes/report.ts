import { saveRecord } from '../figures/record.ts'
import { show } from '../figures/statistics.ts'
import { type Target, toLines, toRecords } from '../figures/targets.ts'
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

/** Of automine throughput there is none: there the indexer's blocks a second are the limit. */
function targetsOf({ latency, blocks, steadyThroughput, losers }: Results): Target[] {
  return [
    {
      figure: 'paid write less bare transaction, mined at once (ms)',
      value: latency.difference.median,
      measured: `${show(latency.difference)}; ${show(latency.service)} less ${show(latency.bare)}`,
      limit: { most: 40 },
    },
    {
      figure: 'blocks until a paid write is in one, beyond a bare one, 2 s',
      value: blocks.serviceBlocks.median - blocks.bareBlocks.median,
      measured: `${show(blocks.serviceBlocks)}; bare ${show(blocks.bareBlocks)}`,
      limit: { most: 0 },
    },
    {
      figure: 'its answer after the receipt of a bare one (ms)',
      value: blocks.answerAfterReceipt.median,
      measured: show(blocks.answerAfterReceipt),
      limit: { most: 2_000 },
    },
    {
      figure: 'paid writes a second, by bare ones, blocks 2 s apart',
      value: steadyThroughput.ratio.median,
      measured: `${show(steadyThroughput.ratio)}; ${show(steadyThroughput.service)} by ${show(steadyThroughput.bare)}`,
      limit: { least: 0.8 },
    },
    {
      figure: 'a duplicate learns that the write is done, p99 (ms)',
      value: losers.alone.p99,
      measured: `${losers.alone.p99.toFixed(1)}, p50 ${losers.alone.p50.toFixed(1)}, n ${losers.alone.count}`,
      limit: { most: 10 },
    },
    ...losers.storms.map(({ size, p50, p99, wins, count }) => ({
      figure: `losers of ${size} at once, p99 (ms)`,
      value: p99,
      measured: `${p99.toFixed(1)}, p50 ${p50.toFixed(1)}, n ${count}, ${wins} winner a storm`,
      limit: { most: 10 },
    })),
  ]
}

/** The table a person reads. */
export function toTable(results: Results): string {
  const { latency, throughput } = results
  const { requestToSigned, signedToCompleted, completedToAnswer } = latency.stages
  return [
    ...toLines(targetsOf(results)),
    `paid writes a second, by bare ones, mined at once: ${show(throughput.ratio)}; ${show(throughput.service)} by ${show(throughput.bare)}`,
    `behind, the indexer stores ${show(throughput.indexer)} blocks of one transaction a second`,
    `of a write's time: ${requestToSigned} ms to signed, ${signedToCompleted} to completed, ${completedToAnswer} to indexed and answered`,
  ].join('\n')
}

/** Writes the results with all that they depend on; returns the file's path below the repository. */
export function saveResults(results: Results, settings: Record<string, unknown>): string {
  return saveRecord('writes', { settings, results: { ...results, targets: toRecords(targetsOf(results)) } })
}
