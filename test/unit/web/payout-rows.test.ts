import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  acceptanceRows,
  bidRows,
  clockRows,
  creationRows,
  decreaseRows,
  evaluatorFeeRows,
  mostAwarded,
  type PayoutRow,
  refundRows,
  rejectionRows,
  selectionRows,
  splitRows,
  stakeRows,
  staleRows,
  verdictRows,
} from '../../../web/act/payout-rows.ts'
import { parseUsdc } from '../../../web/words/amount.ts'
import { aTask } from './a-task.ts'

const worker = '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955'
const evaluator = '0xBcd4042DE499D14e55001CcbB24a551F3b954096'
const assigned = { mode: 'auction', claimedBy: worker, status: 'pending_approval' } as const
/** A bid of 30 USDC won it; the other 10 went back when it did. */
const agreed = aTask({ ...assigned, auctionType: 'english', agreedPrice: '30000000', netReward: '27750000' })
const judged = aTask({ evaluator, evaluatorFeeBps: 500, netReward: '35150000' })

const unitsIn = (rows: readonly PayoutRow[]) =>
  rows.reduce((sum, [, value]) => sum + (parseUsdc(value.replace(' USDC', '')) ?? 0n), 0n)

describe('The lines of a payment sheet', () => {
  test('given an acceptance, then they say what the worker receives and the fee', () => {
    expect(acceptanceRows(aTask({ netReward: '37000000' }))).toEqual([
      ['Worker receives, out of escrow', '37.00 USDC'],
      ['Platform fee 7.5 %', '3.00 USDC'],
    ])
  })

  test('given an auction with a winner, then they are of its price and not of the most that it could cost', () => {
    expect(acceptanceRows(agreed)).toEqual([
      ['Worker receives, out of escrow', '27.75 USDC'],
      ['Platform fee 7.5 %', '2.25 USDC'],
    ])
    expect(refundRows(agreed)).toEqual([['Back to the requester, out of escrow', '30.00 USDC']])
    expect(mostAwarded(agreed)).toBe(30_000_000n)
  })

  test('given an auction without a winner, then its refund is all of the escrow', () => {
    expect(refundRows(aTask({ mode: 'auction', auctionType: 'dutch' }))).toEqual([
      ['Back to the requester, out of escrow', '40.00 USDC'],
    ])
  })

  test('given verdicts, then each has the fee of the evaluator and what goes back', () => {
    expect(verdictRows(judged, 'approve', [])).toEqual([
      ['Worker receives', '35.15 USDC'],
      ['Platform fee 7.5 %', '2.85 USDC'],
      ['Evaluator’s fee', '2.00 USDC'],
    ])
    expect(verdictRows(judged, 'partial', [{ name: '0x14dC…9955', part: 10_000_000n }])).toEqual([
      ['0x14dC…9955 receives', '9.25 USDC'],
      ['Platform fee 7.5 %', '0.75 USDC'],
      ['Evaluator’s fee', '2.00 USDC'],
      ['Back to the requester', '28.00 USDC'],
    ])
    // Amounts that were put in before the verdict was changed count no more.
    expect(verdictRows(judged, 'reject', [{ name: '0x14dC…9955', part: 10_000_000n }])).toEqual([
      ['Evaluator’s fee', '2.00 USDC'],
      ['Back to the requester', '38.00 USDC'],
    ])
  })

  test('given a dispute, then the fee that the verdict has paid is not said again', () => {
    expect(verdictRows({ ...judged, status: 'disputed' }, 'approve', [])).toEqual([
      ['Worker receives', '35.15 USDC'],
      ['Platform fee 7.5 %', '2.85 USDC'],
    ])
    expect(rejectionRows(judged)).toEqual([['Back to the requester, out of escrow', '38.00 USDC']])
  })

  test('given a settlement without the requester, then a delivery is paid without its evaluator, and a contest refunded', () => {
    expect(staleRows({ ...judged, mode: 'claim', claimedBy: worker, status: 'review' })).toEqual([
      ['Worker receives, out of escrow', '37.00 USDC'],
      ['Platform fee 7.5 %', '3.00 USDC'],
    ])
    expect(staleRows(aTask())).toEqual([['Back to the requester, out of escrow', '40.00 USDC']])
  })

  test('given a claim with a stake, then it goes back after a delivery, and else to the platform', () => {
    const claim = aTask({ mode: 'claim', claimedBy: worker, stakeBps: 1_000 })
    expect(stakeRows(claim, true)).toEqual([['Stake back to the worker', '4.00 USDC']])
    expect(stakeRows(claim, false)).toEqual([['Stake of the worker, to the platform', '4.00 USDC']])
    expect(stakeRows({ ...claim, claimedBy: null }, true)).toEqual([])
  })

  test('given a lower reward, then what comes back is said; a higher one is a payment', () => {
    expect(decreaseRows(aTask(), 30_000_000n)).toEqual([['Back to you, out of escrow', '10.00 USDC']])
    expect(decreaseRows(aTask(), 50_000_000n)).toEqual([])
  })

  test('given a lowest bid, a price of the clock and an evaluator, then each act says its amounts', () => {
    expect(selectionRows(aTask({ currentLowestBid: '30000000' }))).toEqual([
      ['Lowest bid', '30.00 USDC'],
      ['Back to the requester, out of escrow', '10.00 USDC'],
    ])
    expect(clockRows(aTask(), 20_000_000n)).toEqual([
      ['Price now', '20.00 USDC'],
      ['You would receive', '18.50 USDC'],
    ])
    expect(evaluatorFeeRows(aTask(), 500)).toEqual([['Evaluator’s fee', '2.00 USDC']])
    expect(creationRows(40_000_000n, { platformFeeBps: 750, evaluatorFeeBps: 500 })).toEqual([
      ['Worker receives', '35.15 USDC'],
      ['Platform fee 7.5 %', '2.85 USDC'],
      ['Evaluator’s fee', '2.00 USDC'],
    ])
  })

  test('given a bid on a task with an evaluator, then its fee is left out of what the worker would receive', () => {
    expect(bidRows(judged, 10_000_000n)).toEqual([
      ['You ask', '10.00 USDC'],
      ['You would receive', '8.7875 USDC'],
    ])
  })

  test('given a split whose parts do not divide the reward, then the first winner has the rest, and nothing is lost', () => {
    expect(splitRows(aTask({ reward: '10', platformFeeBps: 0 }), thirds)).toEqual([
      ['a receives', '0.000004 USDC'],
      ['b receives', '0.000003 USDC'],
      ['c receives', '0.000003 USDC'],
      ['Platform fee 0 %', '0.00 USDC'],
    ])
  })

  test('given any reward and fees, then the lines of a split, of a verdict and of a new task sum to what is in escrow', () => {
    const bps = fc.integer({ min: 0, max: 10_000 })
    fc.assert(
      fc.property(fc.bigInt({ min: 1_000n, max: 10n ** 13n }), bps, bps, (reward, platformFeeBps, evaluatorFeeBps) => {
        const task = aTask({ reward: reward.toString(), platformFeeBps, evaluatorFeeBps })
        expect(unitsIn(splitRows(task, thirds))).toBe(reward)
        expect(unitsIn(verdictRows(task, 'approve', []))).toBe(reward)
        expect(unitsIn(verdictRows(task, 'reject', []))).toBe(reward)
        expect(unitsIn(creationRows(reward, { platformFeeBps, evaluatorFeeBps }))).toBe(reward)
      }),
    )
  })
})

const thirds = [
  { name: 'a', part: 3_333n },
  { name: 'b', part: 3_333n },
  { name: 'c', part: 3_334n },
]
