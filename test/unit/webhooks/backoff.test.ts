import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pauseAfter } from '../../../api/events/webhooks/backoff.ts'

/** The pauses of a webhook whose attempts all fail at once, seconds. */
function pausesOf(secondsOfAttempt: number): number[] {
  const pauses: number[] = []
  let failingSeconds = 0
  for (let attempts = 1; ; attempts += 1) {
    const pause = pauseAfter({ attempts, failingSeconds })
    if (pause === null) return pauses
    pauses.push(pause)
    failingSeconds += pause + secondsOfAttempt
  }
}

test('given attempts that fail, then the pauses double from 10 s to 6 h and end after 24 h', () => {
  expect(pausesOf(0)).toEqual([10, 20, 40, 80, 160, 320, 640, 1280, 2560, 5120, 10_240, 20_480, 21_600, 21_600, 2_250])
  expect(pausesOf(0).reduce((sum, pause) => sum + pause)).toBe(86_400)
})

test('given attempts of any length, then there are few, and the last begins a day after the first failed', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 10, noNaN: true }), (seconds) => {
      const pauses = pausesOf(seconds)
      expect(pauses.length).toBeLessThan(18)
      const end = pauses.reduce((sum, pause) => sum + pause + seconds, 0)
      expect(end).toBeGreaterThanOrEqual(86_400)
      expect(end).toBeLessThan(86_400 + 2 * seconds + 2)
    }),
  )
})
