import { saveRecord } from '../figures/record.ts'
import { show } from '../figures/statistics.ts'
import type { BlockResult, LatencyResult, LoserResult, ThroughputResult } from './measure.ts'

export interface Results {
  latency: LatencyResult
  blocks: BlockResult
  throughput: ThroughputResult
  /** The same on a chain with a steady rate. */
  steadyThroughput: ThroughputResult
  losers: LoserResult
}

/** What a figure should be, and whether it is. */
interface Verdict {
  figure: string
  measured: string
  target: string
  isMet: boolean
}

/** The table a person reads. */
export function toTable({ latency, blocks, throughput, steadyThroughput, losers }: Results): string {
  const verdicts: Verdict[] = [
    {
      figure: 'paid write less bare transaction, mined at once (ms)',
      measured: `${show(latency.difference)}; ${show(latency.service)} less ${show(latency.bare)}`,
      target: '<= 15',
      isMet: latency.difference.median <= 15,
    },
    {
      figure: 'blocks until a paid write is in one, 2 s apart',
      measured: `${show(blocks.serviceBlocks)}; bare ${show(blocks.bareBlocks)}`,
      target: '<= bare + 1',
      isMet: blocks.serviceBlocks.median <= blocks.bareBlocks.median + 1,
    },
    {
      figure: 'its answer after the receipt of a bare one (ms)',
      measured: show(blocks.answerAfterReceipt),
      target: '<= 2000',
      isMet: blocks.answerAfterReceipt.median <= 2_000,
    },
    {
      figure: 'paid writes a second, by bare ones, mined at once',
      measured: `${show(throughput.ratio)}; ${show(throughput.service)} by ${show(throughput.bare)}`,
      target: '>= 0.5',
      isMet: throughput.ratio.median >= 0.5,
    },
    {
      figure: 'paid writes a second, by bare ones, blocks 2 s apart',
      measured: `${show(steadyThroughput.ratio)}; ${show(steadyThroughput.service)} by ${show(steadyThroughput.bare)}`,
      target: '>= 0.5',
      isMet: steadyThroughput.ratio.median >= 0.5,
    },
    {
      figure: 'a duplicate learns that the write is done, p99 (ms)',
      measured: `${losers.alone.p99.toFixed(1)}, p50 ${losers.alone.p50.toFixed(1)}, n ${losers.alone.count}`,
      target: '< 10',
      isMet: losers.alone.p99 < 10,
    },
    ...losers.storms.map(({ size, p50, p99, wins, count }) => ({
      figure: `losers of ${size} at once, p99 (ms)`,
      measured: `${p99.toFixed(1)}, p50 ${p50.toFixed(1)}, n ${count}, ${wins} winner a storm`,
      target: '< 10',
      isMet: p99 < 10 && wins === 1,
    })),
  ]
  const { requestToSigned, signedToCompleted, completedToAnswer } = latency.stages
  return [
    ...verdicts.map(
      ({ figure, measured, target, isMet }) =>
        `${isMet ? 'met   ' : 'MISSED'} ${figure.padEnd(56)} ${target.padEnd(11)} ${measured}`,
    ),
    `of a write's time: ${requestToSigned} ms to signed, ${signedToCompleted} to completed, ${completedToAnswer} to indexed and answered`,
    `behind, the indexer stores ${show(throughput.indexer)} blocks of one transaction a second`,
  ].join('\n')
}

/** Writes the results with all that they depend on; returns the file's path below the repository. */
export function saveResults(results: Results, settings: Record<string, unknown>): string {
  return saveRecord('writes', { settings, results })
}
