import fc from 'fast-check'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import { isWithin, viewIntervalAt } from '../../../api/domain/view-interval.ts'
import { listWorkItems, nextQueueChangeAfter } from '../../../api/domain/worklists/work-items.ts'
import { toTasks } from '../../../api/features/tasks/tasks.mapper.ts'
import { toSnapshot } from '../../../api/read-model/task-snapshot.queries.ts'
import { byDepth } from '../../support/depth.ts'
import { anyTaskRow, aTaskRow, BASE } from '../../support/task-rows.ts'

const DAY = 86_400n

/** Times at and around everything that a task has a time of, and far from all of it. */
function timesOf(row: ReturnType<typeof aTaskRow>): bigint[] {
  const marks = [
    row.createdAt,
    row.expiryTime,
    row.pitchDeadline,
    row.bidDeadline,
    row.evaluatorDeadline,
    row.appealDeadline,
    row.resolutionDeadline,
    row.evaluationWindow === null ? null : row.expiryTime + row.evaluationWindow,
  ].filter((time) => time !== null)
  const delays = [0n, 83n * DAY, 90n * DAY]
  const near = marks.flatMap((mark) => delays.flatMap((delay) => [-2n, -1n, 0n, 1n, 2n].map((by) => mark + delay + by)))
  return [...new Set([...near, BASE - 1000n * DAY, BASE + 1000n * DAY])].sort((one, other) => Number(one - other))
}

const viewAt = (row: ReturnType<typeof aTaskRow>, now: bigint) =>
  JSON.stringify(toTasks([{ ...row }], { now, serviceName: 'service' }))
const intervalAt = (row: ReturnType<typeof aTaskRow>, now: bigint) => viewIntervalAt(toSnapshot({ ...row }), now)

test('the view is the same at all times of its interval, for tasks of every mode and status', () => {
  fc.assert(
    fc.property(anyTaskRow, fc.nat(), fc.bigInt({ min: BASE - 200n * DAY, max: BASE + 200n * DAY }), (row, at, any) => {
      const times = [...timesOf(row), any]
      const now = times[at % times.length] ?? any
      const { from, until } = intervalAt(row, now)
      const view = viewAt(row, now)
      for (const time of times) {
        if ((from === null || from <= time) && (until === null || time < until)) expect(viewAt(row, time)).toBe(view)
      }
    }),
    { numRuns: byDepth(300, 40_000) },
  )
})

test('the interval holds the time it was asked for', () => {
  fc.assert(
    fc.property(anyTaskRow, fc.nat(), (row, at) => {
      const times = timesOf(row)
      const now = times[at % times.length] ?? 0n
      const { from, until } = intervalAt(row, now)
      expect(from === null || from <= now).toBe(true)
      expect(until === null || now < until).toBe(true)
    }),
  )
})

test('an open bounty has the edges of its expiry, of the notice of settlement and of settlement', () => {
  const row = aTaskRow({ mode: 'bounty', status: 'open', createdAt: BASE, expiryTime: BASE + 100n })
  const stale = BASE + 100n + 90n * DAY
  expect(intervalAt(row, BASE + 50n)).toEqual({ from: BASE, until: BASE + 100n })
  expect(intervalAt(row, BASE + 100n)).toEqual({ from: BASE + 100n, until: stale - 7n * DAY })
  expect(intervalAt(row, stale - 7n * DAY)).toEqual({ from: stale - 7n * DAY, until: stale })
  expect(intervalAt(row, stale)).toEqual({ from: stale, until: null })
})

test('the price of a running clock stays for its second, and for ever once the clock has stopped', () => {
  const row = aTaskRow({
    mode: 'auction',
    auctionType: 'dutch',
    status: 'open',
    createdAt: BASE,
    bidDeadline: BASE + 50n,
    expiryTime: BASE + 100n,
    clockPrice: 1n,
  })
  for (const now of [BASE, BASE + 7n]) expect(intervalAt(row, now)).toEqual({ from: now, until: now + 1n })
  expect(intervalAt(row, BASE + 50n)).toEqual({ from: BASE + 50n, until: BASE + 100n })
  expect(intervalAt(aTaskRow({ ...row, status: 'completed' }), BASE + 7n).until).not.toBe(BASE + 8n)
})

test.each([
  [{ from: 5n, until: 9n }, [5n, 8n], [4n, 9n]],
  [{ from: null, until: 9n }, [0n, 8n], [9n, 10n]],
  [{ from: 5n, until: null }, [5n, 100n], [4n]],
  [{ from: null, until: null }, [0n, 100n], []],
])('the window %o holds its first second and not its end', (window, within, outside) => {
  for (const time of within) expect(isWithin(window, time)).toBe(true)
  for (const time of outside) expect(isWithin(window, time)).toBe(false)
})

test('a clock that has not started yet has no price to follow', () => {
  const auction = { mode: 'auction', auctionType: 'dutch', clockPrice: 1n, bidDeadline: BASE + 50n } as const
  const row = aTaskRow({ ...auction, status: 'open', createdAt: BASE, expiryTime: BASE + 100n })
  expect(intervalAt(row, BASE - 5n)).toEqual({ from: null, until: BASE })
})

test('an open task for pitches has the edge of its pitch deadline', () => {
  const times = { createdAt: BASE, pitchDeadline: BASE + 50n, expiryTime: BASE + 100n }
  const row = aTaskRow({ mode: 'pitch', status: 'open', ...times })
  expect(intervalAt(row, BASE + 7n)).toEqual({ from: BASE, until: BASE + 50n })
})

test('the queue of an open bounty changes a day before its expiry, and then', () => {
  const task = toSnapshot({
    ...aTaskRow({ mode: 'bounty', status: 'open', createdAt: BASE, expiryTime: BASE + 3n * DAY }),
  })
  const changes = [BASE + DAY, BASE + 2n * DAY].map((now) => nextQueueChangeAfter(task, now))
  expect(changes).toEqual([BASE + 2n * DAY, BASE + 3n * DAY])
})

test('the work of both sides of a task stays the same until its next change', () => {
  const workAt = (row: ReturnType<typeof aTaskRow>, address: Address, now: bigint) =>
    JSON.stringify(
      listWorkItems(
        toSnapshot({ ...row }),
        { address, activeSubmissionCount: 0, isVerdictAwarded: false, isLowestBidder: false },
        now,
      ),
      (_, value) => (typeof value === 'bigint' ? String(value) : value),
    )
  fc.assert(
    fc.property(anyTaskRow, fc.nat(), (row, at) => {
      const times = timesOf(row).flatMap((time) => [time - DAY, time])
      const now = times[at % times.length] ?? 0n
      const next = nextQueueChangeAfter(toSnapshot({ ...row }), now)
      for (const wallet of [row.requester, row.worker ?? row.requester]) {
        const work = workAt(row, wallet, now)
        for (const time of times) {
          if (now <= time && (next === null || time < next)) expect(workAt(row, wallet, time)).toBe(work)
        }
      }
    }),
    { numRuns: byDepth(300, 40_000) },
  )
})
