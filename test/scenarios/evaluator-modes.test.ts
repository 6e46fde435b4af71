import { describe, test } from 'vitest'
import { openWorld } from '../support/conformance.ts'
import { tellStory } from '../support/scenarios/story.ts'

/** The evaluator flow of auctions and pitches: fees and awards are parts of the accepted price. */

const world = openWorld()

const cast = ['alice', 'bob', 'evaluator', 'resolver'] as const
const judges = { evaluator: 'evaluator', evaluatorFeeBps: 1000, disputeResolver: 'resolver' }

describe('An auction with an evaluator', () => {
  test('pays fee and award out of the lowest bid of an english one; the surplus has long gone back', async () => {
    const terms = { mode: 'auction', auctionType: 'english', reward: '2000003', maxPrice: '2000003', bidDeadline: 1 }
    const story = await tellStory(world, { cast, task: { ...terms, ...judges } })
    for (const judge of ['evaluator', 'resolver'] as const) {
      await story.refused(judge, 'bid', { status: 403, fields: { price: '5000' } })
    }
    await story.act('alice', 'bid', { price: '1500001' })
    await story.refused('requester', 'assign_evaluator', { status: 409, fields: { evaluator: 'bob' } })
    await story.until((await story.task()).bidDeadline)
    await story.act('bob', 'select_winner')
    await story.money({ requester: -1_500_001n, alice: -1_000n, forwarder: 1_000n, market: 1_500_001n })
    // floor(1500001 / 10) = 150000 is the evaluator's; of 1350001 the platform takes floor(1350001 * 0.075) = 101250.
    await story.sees({ netReward: '1248751' })
    await story.act('alice', 'submit')
    await story.sees({ status: 'review', phase: 'in_review' })
    const awards = (amount: string) => [{ worker: 'alice', amount, rank: 1 }]
    await story.refused('evaluator', 'evaluate', {
      status: 400,
      fields: { verdict: 'partial', awards: awards('1350002') },
    })
    await story.act('evaluator', 'evaluate', { verdict: 'partial', awards: awards('1350001') })
    await story.money({ evaluator: 149_000n, forwarder: 1_000n, market: -150_000n })
    await story.until((await story.task()).appealDeadline)
    await story.act('bob', 'finalize_verdict')
    await story.money({ alice: 1_248_751n, feeRecipient: 101_250n, market: -1_350_001n })
    await story.awards([{ worker: 'alice', gross: '1350001', net: '1248751', fee: '101250' }])
  })

  test('gives the price of a clock less the fee back when it rejects', async () => {
    const terms = { mode: 'auction', auctionType: 'dutch', reward: '2000000', maxPrice: '2000000' }
    const story = await tellStory(world, { cast, task: { ...terms, ...judges, auctionFloorPrice: '2000000' } })
    await story.act('alice', 'auction_accept')
    await story.act('alice', 'submit')
    await story.act('evaluator', 'evaluate', { verdict: 'reject' })
    await story.until((await story.task()).appealDeadline)
    await story.act('bob', 'finalize_verdict')
    await story.money({ requester: -200_000n, alice: -1_000n, evaluator: 199_000n, forwarder: 2_000n })
    await story.sees({ status: 'cancelled', claimedBy: 'alice', awards: [] })
    await story.nothingInEscrow()
  })
})

describe('A pitch with an evaluator', () => {
  test('is appealed by the selected worker alone, and resolved', async () => {
    const story = await tellStory(world, { cast, task: { mode: 'pitch', reward: '2000000', ...judges } })
    const { pitchId } = await story.act('alice', 'pitch')
    await story.act('bob', 'pitch')
    await story.refused('evaluator', 'pitch', { status: 403 })
    await story.act('requester', 'select_worker', { pitchId, workerAddress: 'alice' })
    await story.act('alice', 'submit')
    await story.sees({ status: 'review' })
    await story.act('evaluator', 'evaluate', { verdict: 'reject' })
    await story.refused('bob', 'appeal', { status: 403 })
    await story.act('alice', 'appeal')
    const awards = [{ worker: 'alice', amount: '1000000', rank: 1 }]
    await story.refused('resolver', 'resolve_dispute', {
      status: 409,
      fields: { verdict: 'partial', awards: [{ ...awards[0], worker: 'bob' }] },
    })
    await story.act('resolver', 'resolve_dispute', { verdict: 'partial', awards })
    await story.money({
      requester: -2_000_000n - 1_000n + 800_000n,
      alice: 925_000n - 2_000n,
      bob: -1_000n,
      evaluator: 199_000n,
      resolver: -1_000n,
      forwarder: 6_000n,
      feeRecipient: 75_000n,
    })
    await story.awards([{ worker: 'alice', gross: '1000000', net: '925000', fee: '75000' }])
  })
})
