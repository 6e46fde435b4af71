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

describe('a measure that may not grow', () => {
  const third = (minute: number) => Math.floor(minute / 40)
  const half = (minute: number) => (minute < 60 ? 0 : 1)
  it.each([
    ['is noisy and flat', true, series(() => 0)],
    ['leaks beneath the noise', false, series((minute) => minute)],
    ['grows while it warms up alone', true, series((minute) => 20 * Math.min(minute, warmUpMinutes))],
    ['has single high values', true, series((minute) => (minute % 10 === 9 ? 10 * minute : 0))],
    ['leaks in each life, of which a restart gives all back', false, series((minute) => 4 * (minute % 40), third)],
    ['begins higher in a later life and stays there', true, series((minute) => 100 * half(minute), half)],
    ['has no value', false, []],
    ['has too few values', false, series(() => 0).slice(0, 18)],
    [
      'has one value of each life',
      false,
      series(
        () => 0,
        (minute) => minute,
      ),
    ],
  ] as const)('given one that %s, then it passes: %s', (_, isPassed, samples) => {
    expect(judge('memory', samples, { rule, warmUpMinutes }).isPassed).toBe(isPassed)
  })

  it('given a leak, then the verdict says from what to what', () => {
    const { count, from, to, measured, allowed } = judge(
      'memory',
      series((minute) => minute),
      { rule, warmUpMinutes },
    )
    expect(count).toBe(105)
    expect(measured).toBeGreaterThan(90)
    expect(allowed).toBeLessThan(80)
    expect(to - from).toBeCloseTo(measured)
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
