import { describe, expect, it } from 'vitest'
import { createFailpoint, failpoints, filePoints, sweepPoints } from '../../../api/failpoint.ts'

const points = [...failpoints, ...filePoints, ...sweepPoints]

/** Passes every point in order, twice; returns the signals that were sent, with their points. */
function passAll(setting: string | undefined): string[] {
  const sent: string[] = []
  let at = ''
  const reach = createFailpoint(setting, (signal) => sent.push(`${signal} ${at}`))
  for (const point of [...points, ...points]) {
    at = point
    reach(point)
  }
  return sent
}

describe('the point at which a process ends', () => {
  it.each([undefined, ''])('given %o, then it never does', (setting) => {
    expect(passAll(setting)).toEqual([])
  })

  it.each(points)('given %s, then it is killed there', (point) => {
    expect(passAll(point)).toEqual([`SIGKILL ${point}`])
    expect(passAll(`${point}:kill`)).toEqual([`SIGKILL ${point}`])
  })

  it('given a stop instead, then it is stopped once, and continues on a signal', () => {
    expect(passAll('after-send:stop')).toEqual(['SIGSTOP after-send'])
  })

  it.each(['after-lunch', 'after-send:sleep', 'after-send:kill:twice', ':kill'])(
    'given %s, then it refuses to start',
    (setting) => {
      expect(() => createFailpoint(setting)).toThrow(/FAILPOINT/)
    },
  )
})
