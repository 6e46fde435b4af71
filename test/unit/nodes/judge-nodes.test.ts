import fc from 'fast-check'
import { type Hex, toHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { judgeNodes, MOST_BLOCKS_BEHIND, type NodeCheck } from '../../../api/nodes/judge-nodes.ts'

/** The block of a chain; a fork has other blocks from a height on. */
function hashAt(height: bigint, fork: { from: bigint; name: string } | null = null): Hex {
  return toHex(`${fork !== null && height >= fork.from ? fork.name : 'chain'} ${height}`)
}

/** A node with all its hashes from height 60 on. */
function aCheck(height: bigint, fork: { from: bigint; name: string } | null = null): NodeCheck {
  const heights = Array.from({ length: Number(height) - 60 }, (_, index) => BigInt(60 + index))
  return {
    head: { number: height, hash: hashAt(height, fork), parentHash: hashAt(height - 1n, fork), timestamp: 0n },
    isOtherChain: false,
    isStale: false,
    hashes: new Map(heights.map((each) => [each, hashAt(each, fork)])),
  }
}

const silent: NodeCheck = { head: null, isOtherChain: false, isStale: false, hashes: new Map() }
const anchor = (height: bigint) => ({ number: height, hash: hashAt(height) })
const noReference = { current: 0, anchor: null }

describe('any number of nodes', () => {
  const height = fc.bigInt({ min: 100n - MOST_BLOCKS_BEHIND, max: 100n })
  const ofChain = fc.array(
    height.map((each) => aCheck(each)),
    { minLength: 2, maxLength: 5 },
  )
  const faulty = fc.oneof(
    fc.constant({ check: silent, verdict: 'silent' as const }),
    fc.constant({ check: { ...silent, isOtherChain: true }, verdict: 'other_chain' as const }),
    fc.constant({ check: { ...aCheck(100n), isStale: true }, verdict: 'stale' as const }),
    fc.bigInt({ min: 61n, max: 89n }).map((low) => ({ check: aCheck(low), verdict: 'behind' as const })),
    fc.tuple(fc.bigInt({ min: 70n, max: 95n }), fc.bigInt({ min: 95n, max: 120n })).map(([from, head]) => ({
      check: aCheck(head, { from, name: 'fork' }),
      verdict: 'forked' as const,
    })),
  )

  test('given one faulty node among those of the chain, then it alone is not used, wherever it is and whichever is used now', () => {
    fc.assert(
      fc.property(
        ofChain,
        faulty,
        fc.nat(),
        fc.nat(),
        fc.boolean(),
        (checks, { check, verdict }, at, current, isAnchored) => {
          const place = at % (checks.length + 1)
          const all = [...checks.slice(0, place), check, ...checks.slice(place)]
          const reference = { current: current % all.length, anchor: isAnchored ? anchor(95n) : null }
          const expected = all.map((_, index) => {
            if (index === place) return verdict
            const highest = checks.reduce(
              (most, { head }) => (head !== null && head.number > most ? head.number : most),
              0n,
            )
            return highest - (all[index]?.head?.number ?? 0n) > MOST_BLOCKS_BEHIND ? 'behind' : 'ok'
          })
          expect(judgeNodes(all, reference)).toEqual(expected)
        },
      ),
    )
  })
})

describe('two nodes on two forks', () => {
  const [a, b] = [aCheck(100n, { from: 99n, name: 'fork' }), aCheck(100n)]

  test('given neither has the newest block that was taken, then the one that is used now counts', () => {
    expect(judgeNodes([a, b], { current: 0, anchor: null })).toEqual(['ok', 'forked'])
    expect(judgeNodes([a, b], { current: 1, anchor: null })).toEqual(['forked', 'ok'])
  })

  test('given one has the newest block that was taken, then it counts', () => {
    expect(judgeNodes([a, b], { current: 0, anchor: anchor(99n) })).toEqual(['forked', 'ok'])
  })

  test('given a third that has neither, then each has one, and the one that is used now counts', () => {
    const c = aCheck(100n, { from: 99n, name: 'another' })
    expect(judgeNodes([a, b, c], { current: 2, anchor: null })).toEqual(['forked', 'forked', 'ok'])
  })
})

test('given a fork of the node that is used, which goes on from the newest block that was taken, then two others outweigh it', () => {
  const fork = { from: 100n, name: 'fork' }
  const taken = { number: 100n, hash: hashAt(100n, fork) }
  expect(judgeNodes([aCheck(101n, fork), aCheck(101n), aCheck(101n)], { current: 0, anchor: taken })).toEqual([
    'forked',
    'ok',
    'ok',
  ])
})

test('given no node answers, or all are too old, then none is preferred', () => {
  expect(judgeNodes([silent, silent], noReference)).toEqual(['silent', 'silent'])
  const old = { ...aCheck(100n), isStale: true }
  expect(judgeNodes([old, old], noReference)).toEqual(['ok', 'ok'])
})
