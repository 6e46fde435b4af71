import { describe, expect, it } from 'vitest'
import { createSeededRandom } from '../../bench/figures/statistics.ts'
import { judge, type Sample } from '../../soak/verdict.ts'

const MINUTES = 120
const warmUpMinutes = 15
const rule = { growth: { absolute: 30, relative: 0.1 } }

/** A value a minute: 300, with noise of up to 40, and what is added. */
function series(added: (minute: number) => number, lifeOf: (minute: number) => number = () => 0): Sample[] {
  const random = createSeededRandom(7)
  return Array.from({ length: MINUTES }, (_, minute) => ({
    minute,
    value: 300 + 40 * random() + added(minute),
    life: lifeOf(minute),
  }))
}

const judgeMemory = (samples: readonly Sample[]) => judge('memory', samples, { rule, warmUpMinutes })

describe('a measure that may not grow', () => {
  it('passes when it is noisy and flat', () => {
    expect(judgeMemory(series(() => 0))).toMatchObject({ isPassed: true, count: 105 })
  })

  it('fails when it leaks beneath the noise, and says from what to what', () => {
    const { isPassed, from, to, measured, allowed } = judgeMemory(series((minute) => minute))
    expect(isPassed).toBe(false)
    expect(measured).toBeGreaterThan(90)
    expect(allowed).toBeLessThan(80)
    expect(to - from).toBeCloseTo(measured)
  })

  it('passes when it grows while it warms up alone', () => {
    expect(judgeMemory(series((minute) => 20 * Math.min(minute, warmUpMinutes))).isPassed).toBe(true)
  })

  it('passes with single high values', () => {
    expect(judgeMemory(series((minute) => (minute % 10 === 9 ? 10 * minute : 0))).isPassed).toBe(true)
  })

  it('fails when each life leaks, though a restart gives all of it back', () => {
    const leaking = series(
      (minute) => 4 * (minute % 40),
      (minute) => Math.floor(minute / 40),
    )
    expect(judgeMemory(leaking).isPassed).toBe(false)
  })

  it('passes when a later life begins higher and stays there', () => {
    const restarted = series(
      (minute) => (minute < 60 ? 0 : 100),
      (minute) => (minute < 60 ? 0 : 1),
    )
    expect(judgeMemory(restarted).isPassed).toBe(true)
  })

  it('fails without values that are enough', () => {
    expect(judgeMemory([]).isPassed).toBe(false)
    expect(judgeMemory(series(() => 0).slice(0, 18)).isPassed).toBe(false)
    expect(
      judgeMemory(
        series(
          () => 0,
          (minute) => minute,
        ),
      ).isPassed,
    ).toBe(false)
  })
})

describe('a measure with a bound', () => {
  const judgeRows = (values: readonly number[]) =>
    judge(
      'rows',
      values.map((value, minute) => ({ minute, value, life: 0 })),
      { rule: { most: 0 }, warmUpMinutes },
    )

  it('fails by one value above it, while it warms up too', () => {
    expect(judgeRows([0, 1, 0, 0])).toMatchObject({ isPassed: false, measured: 1, allowed: 0 })
  })

  it('passes at it, and fails when nothing was measured', () => {
    expect(judgeRows([0, 0]).isPassed).toBe(true)
    expect(judgeRows([]).isPassed).toBe(false)
  })
})
