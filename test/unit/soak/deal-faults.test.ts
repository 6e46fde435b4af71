import { expect, it } from 'vitest'
import { createRandom } from '../../faults/random.ts'
import { dealFaults, type SoakFault, soakFaults } from '../../soak/faults.ts'

const ROUNDS = 20

function deal(seed: string): SoakFault[] {
  const deck = dealFaults(createRandom(seed))
  return Array.from({ length: ROUNDS * soakFaults.length }, () => deck.next().value)
}

it('every fault comes once a round, in an order that the seed determines', () => {
  const dealt = deal('1')
  const rounds = Array.from({ length: ROUNDS }, (_, round) =>
    dealt.slice(round * soakFaults.length, (round + 1) * soakFaults.length).map(({ name }) => name),
  )
  const names = soakFaults.map(({ name }) => name).toSorted()
  expect(rounds.map((round) => round.toSorted())).toEqual(rounds.map(() => names))
  expect(new Set(rounds.map((round) => round.join())).size).toBe(ROUNDS)
  expect(deal('1')).toEqual(dealt)
  expect(deal('2')).not.toEqual(dealt)
})

// With three ends in ten minutes its supervisor gives up, and at least three minutes are between two faults.
it('of four faults in a row one ends the indexer at most', () => {
  const dealt = deal('1')
  const ends = dealt.map((_, index) => dealt.slice(index, index + 4).filter(({ endsIndexer }) => endsIndexer).length)
  expect(Math.max(...ends)).toBe(1)
})
