import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isRanked, listIdGrams, REPUTATION_SCALE, toReputation } from '../../../protocol/rules/agent-rank.ts'

const MAX_RATED = 2 ** 31 - 1
/** What an agent can have: each rating is 0..100. */
const aRecord = fc
  .integer({ min: 0, max: MAX_RATED })
  .chain((ratedTasks) =>
    fc.record({ ratedTasks: fc.constant(ratedTasks), totalStars: fc.integer({ min: 0, max: 100 * ratedTasks }) }),
  )
type RatingRecord = { ratedTasks: number; totalStars: number }

/** (a + 500) / (b + 10) compared as fractions, without a division. */
function compareMeans(one: RatingRecord, other: RatingRecord): number {
  const [left, right] = [
    (BigInt(one.totalStars) + 500n) * (BigInt(other.ratedTasks) + 10n),
    (BigInt(other.totalStars) + 500n) * (BigInt(one.ratedTasks) + 10n),
  ]
  return left < right ? -1 : Number(left > right)
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : Number(one > other)
}

describe('the reputation of an agent', () => {
  test('given any two records, then it orders them as the fractions do', () => {
    fc.assert(
      fc.property(aRecord, aRecord, (one, other) => {
        expect(compare(toReputation(one), toReputation(other))).toBe(compareMeans(one, other))
      }),
    )
  })

  test('given records whose means are next to each other, then it still orders them as the fractions do', () => {
    // (x + 1) / (b + 1) and x / b with large b differ by about 1 / b: the closest that fractions come.
    const neighbours = aRecord.chain((one) =>
      fc.record({
        one: fc.constant(one),
        other: fc
          .tuple(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -2, max: 2 }))
          .map(([stars, rated]) => ({ totalStars: one.totalStars + stars, ratedTasks: one.ratedTasks + rated }))
          .filter(
            ({ totalStars, ratedTasks }) =>
              ratedTasks >= 0 && ratedTasks <= MAX_RATED && totalStars >= 0 && totalStars <= 100 * ratedTasks,
          ),
      }),
    )
    fc.assert(
      fc.property(neighbours, ({ one, other }) => {
        expect(compare(toReputation(one), toReputation(other))).toBe(compareMeans(one, other))
      }),
    )
  })

  test('given the largest counters, then the closest different means differ', () => {
    // x / b and y / c with x * c - y * b = -1: no two different fractions of these denominators are closer.
    const [b, c] = [BigInt(MAX_RATED) + 10n, BigInt(MAX_RATED) + 9n]
    const [x, y] = [1n + 7n * b, 1n + 7n * c]
    expect(x * c - y * b).toBe(-1n)
    const [one, other] = [
      { totalStars: Number(x - 500n), ratedTasks: Number(b - 10n) },
      { totalStars: Number(y - 500n), ratedTasks: Number(c - 10n) },
    ]
    expect(compare(toReputation(one), toReputation(other))).toBe(compareMeans(one, other))
    expect(toReputation(one)).not.toBe(toReputation(other))
  })

  test('given equal means of different records, then it is equal', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), (ratedTasks) => {
        const prior = toReputation({ ratedTasks: 0, totalStars: 0 })
        expect(toReputation({ ratedTasks, totalStars: 50 * ratedTasks })).toBe(prior)
        expect(prior).toBe(50n * REPUTATION_SCALE)
      }),
    )
  })

  test('given a least mean in millionths, then it is reached exactly by those with such a mean', () => {
    fc.assert(
      fc.property(aRecord, fc.bigInt({ min: 0n, max: 5_000_000n }), (record, millionths) => {
        const least = (millionths * REPUTATION_SCALE) / 1_000_000n
        const isReached =
          (BigInt(record.totalStars) + 500n) * 1_000_000n >= millionths * (BigInt(record.ratedTasks) + 10n)
        expect(toReputation(record) >= least).toBe(isReached)
      }),
    )
  })
})

describe('the population', () => {
  test.each([
    [{ completedTasks: 0, agentId: null }, false],
    [{ completedTasks: 1, agentId: null }, true],
    [{ completedTasks: 0, agentId: 0n }, true],
  ])('given %o, then an address belongs to it: %s', (record, expected) => {
    expect(isRanked(record)).toBe(expected)
  })
})

describe('the parts of an agent id', () => {
  test('given an id, then they are all its parts of three digits, each once', () => {
    expect(listIdGrams('11112')).toEqual(['111', '112'])
    expect(listIdGrams('12')).toEqual([])
  })

  test('given any part of an id of three digits or more, then its parts are among those of the id', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 100n, max: 2n ** 256n - 1n }),
        fc.nat(75),
        fc.integer({ min: 3, max: 78 }),
        (id, from, length) => {
          const part = String(id).slice(from, from + length)
          fc.pre(part.length >= 3)
          expect(listIdGrams(String(id))).toEqual(expect.arrayContaining(listIdGrams(part)))
        },
      ),
    )
  })
})
