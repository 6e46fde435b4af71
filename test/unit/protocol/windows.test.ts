import { describe, expect, test } from 'vitest'
import {
  type Clocks,
  ends,
  isHeadStale,
  judgeBeginning,
  judgeEnd,
  judgeMoment,
  latestOf,
  moments,
  SLACK_SECONDS,
} from '../../../protocol/windows.ts'

/** The host's clock. */
const HOST = 1_800_000_000n
/** How far the head is behind the host, seconds; negative: ahead. */
const LAGS = [0n, 1n, 2n, 12n, 60n, -60n]
const clocksAt = (lag: bigint): Clocks => ({ head: HOST - lag, current: HOST })

describe.each(LAGS)('Given a head %s seconds behind the host', (lag) => {
  const clocks = clocksAt(lag)

  test.each(Object.entries(ends))(
    'an end of %s as the documents promise is admitted, by the host’s or the chain’s clock',
    (_, bounds) => {
      for (const clock of [clocks.head, clocks.current]) {
        // What a caller with that clock signs.
        const longest = clock + bounds.most
        expect(judgeEnd(bounds, longest, { clocks, field: 'end' })).toBeNull()
      }
      const from = latestOf(clocks)
      expect(judgeEnd(bounds, from + bounds.least, { clocks, field: 'end' })).toBeNull()
    },
  )

  test.each(Object.entries(ends))(
    'an end of %s is admitted from a caller whose clock is 60 s ahead or behind',
    (_, bounds) => {
      const ahead = clocks.current + SLACK_SECONDS + bounds.most
      expect(judgeEnd(bounds, ahead, { clocks, field: 'end' })).toBeNull()
      // Behind, a documented end is nearer, and far enough.
      const behind = clocks.current - SLACK_SECONDS + bounds.most
      if (bounds.most - SLACK_SECONDS >= bounds.least + 60n)
        expect(judgeEnd(bounds, behind, { clocks, field: 'end' })).toBeNull()
    },
  )

  test.each(Object.entries(ends))('an end of %s outside of its bounds names the bound', (_, bounds) => {
    const from = latestOf(clocks)
    const short = judgeEnd(bounds, from + bounds.least - 1n, { clocks, field: 'end' })
    expect([short?.detail, short?.message]).toEqual([
      'window_too_short',
      expect.stringContaining(`${from + bounds.most}`),
    ])
    const long = judgeEnd(bounds, from + bounds.most + SLACK_SECONDS + 1n, { clocks, field: 'end' })
    expect(long?.detail).toBe('window_too_long')
  })

  test.each(Object.entries(moments))(
    'a moment of %s is admitted within its distance of either clock',
    (_, { back, ahead }) => {
      const bounds = { back, ahead }
      for (const clock of [clocks.head, clocks.current]) {
        for (const moment of [
          clock,
          clock - back,
          clock + ahead,
          clock - back - SLACK_SECONDS,
          clock + ahead + SLACK_SECONDS,
        ]) {
          expect(judgeMoment(bounds, moment, { clocks, field: 'timestamp' })).toBeNull()
        }
      }
      const [first, last] = [clocks.head, clocks.current].toSorted()
      expect(
        judgeMoment(bounds, (first ?? 0n) - back - SLACK_SECONDS - 1n, { clocks, field: 'timestamp' }),
      ).not.toBeNull()
      expect(
        judgeMoment(bounds, (last ?? 0n) + ahead + SLACK_SECONDS + 1n, { clocks, field: 'timestamp' }),
      ).not.toBeNull()
    },
  )

  test('a beginning is before the head, as USDC demands of its block, and the refusal says by how much it is not', () => {
    expect(judgeBeginning(0n, { clocks, field: 'validAfter' })).toBeNull()
    expect(judgeBeginning(clocks.head - 1n, { clocks, field: 'validAfter' })).toBeNull()
    for (const [ahead, excess] of [
      [0n, '1 too high'],
      [4n, '5 too high'],
    ] as const) {
      const refused = judgeBeginning(clocks.head + ahead, { clocks, field: 'validAfter' })
      expect([refused?.detail, refused?.message]).toEqual(['clock_ahead', expect.stringContaining(excess)])
      // A signer of the current second has the right time.
      expect(refused?.message).not.toContain('clock')
    }
  })

  test('writes go on', () => {
    expect(isHeadStale(clocks)).toBe(false)
  })
})

test('a head 61 seconds from the host’s clock is stale, in either direction', () => {
  for (const lag of [61n, 600n, -61n, -600n]) expect(isHeadStale(clocksAt(lag))).toBe(true)
})

test('the contract of reward tokens takes twice the documented end', () => {
  expect(ends.tokenWithdrawal.most * 2n).toBe(600n)
})
