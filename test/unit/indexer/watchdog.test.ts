import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Sample, startWatch, type WatchdogState, watch } from '../../../ops/indexer/watchdog.ts'

const limits = { stalledMs: 10_000, lagBlocks: 5n, lagMs: 60_000 }

/** The watchdog's reasons for a series of [second, head, indexed], in order. */
function evaluateSeries(series: [second: number, head: bigint, indexed: bigint][]): (string | null)[] {
  const samples = series.map(([second, head, indexed]): Sample => ({ atMs: second * 1000, head, indexed }))
  let state: WatchdogState | null = null
  return samples.map((sample) => {
    const seen = watch(state ?? startWatch(sample), { sample, limits })
    state = seen.state
    return seen.reason
  })
}

describe('an indexer without progress', () => {
  test('given a chain that is ahead for the limit, then it is restarted', () => {
    expect(
      evaluateSeries([
        [0, 7n, 7n],
        [1, 8n, 7n],
        [9, 12n, 7n],
        [10, 12n, 7n],
      ]),
    ).toEqual([null, null, null, 'stood still at block 7 for 10 s while the chain is at 12'])
  })

  test('given a chain without progress too, then it is not restarted', () => {
    expect(
      evaluateSeries([
        [0, 7n, 7n],
        [100, 7n, 7n],
        [200, 7n, 7n],
      ]),
    ).toEqual([null, null, null])
  })

  test('given a chain that continues, then the whole limit counts from that moment', () => {
    expect(
      evaluateSeries([
        [0, 7n, 7n],
        [100, 7n, 7n],
        [101, 8n, 7n],
        [109, 8n, 7n],
      ]),
    ).toEqual([null, null, null, null])
  })

  test('given a reorg that moves it back, then that is progress', () => {
    expect(
      evaluateSeries([
        [0, 9n, 8n],
        [9, 9n, 6n],
        [18, 9n, 6n],
      ]),
    ).toEqual([null, null, null])
  })
})

describe('an indexer that lags', () => {
  test('given it comes no closer for the limit, then it is restarted', () => {
    const steps = Array.from({ length: 31 }, (_, step): [number, bigint, bigint] => [
      step * 2,
      10n + BigInt(step),
      4n + BigInt(step),
    ])
    const reasons = evaluateSeries(steps)
    expect(reasons.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => null))
    expect(reasons.at(-1)).toBe('has been more than 5 blocks behind for 60 s and comes no nearer (34 of 40)')
  })

  test('given it catches up, however far behind, then it is not restarted', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 1n, max: 50n }), { minLength: 2, maxLength: 50 }), (gains) => {
        let indexed = 0n
        const head = 10_000n
        const series = gains.map((gain, index): [number, bigint, bigint] => {
          indexed += gain
          return [index * 9, head, indexed]
        })
        expect(evaluateSeries(series).every((reason) => reason === null)).toBe(true)
      }),
    )
  })

  test('given a distance within the tolerance, then it is no lag', () => {
    const steps = Array.from({ length: 50 }, (_, step): [number, bigint, bigint] => [
      step * 5,
      10n + BigInt(step),
      5n + BigInt(step),
    ])
    expect(evaluateSeries(steps).every((reason) => reason === null)).toBe(true)
  })
})
