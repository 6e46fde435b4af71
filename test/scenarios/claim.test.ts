import { describe, test } from 'vitest'
import { openWorld } from '../support/conformance.ts'
import { aClaimTask } from '../support/conformance-scenes.ts'
import { tellStory } from '../support/scenarios/story.ts'

const world = openWorld()

const ninetyDays = 90n * 86_400n
/** A tenth of 2 USDC. */
const stake = 200_000n
const withStake = aClaimTask({ stakeBps: 1000 })

const openOffers = ['update by requester for 1000', 'cancel by requester for 1000']
const refundOffers = ['refund_expired by anyone for 1000', 'refund_expired by requester for 1000']

/** Unix seconds of a time in an answer. */
const toSeconds = (iso: string) => BigInt(Date.parse(iso) / 1000)

describe('A task to claim', () => {
  test('is taken, delivered, accepted and rated, and nobody else can have it', async () => {
    const story = await tellStory(world, { cast: ['alice', 'bob'], task: aClaimTask() })
    await story.offers(['claim by any worker', ...openOffers])
    await story.refused('alice', 'submit', { status: 409 })
    await story.act('alice', 'claim')
    await story.sees({ status: 'claimed', phase: 'active', claimedBy: 'alice', submissionWindowOpen: true })
    await story.offers(['submit by alice'])
    await story.refused('bob', 'claim', { status: 409 })
    await story.refused('bob', 'submit', { status: 403 })

    await story.act('alice', 'submit')
    await story.sees({ status: 'pending_approval', phase: 'active', submissionWindowOpen: false, submissionCount: 1 })
    await story.offers(['accept by requester for 1000'])
    await story.money({ requester: -2_000_000n, market: 2_000_000n })
    await story.act('requester', 'accept', { worker: 'alice' })
    await story.money({
      requester: -1_000n,
      forwarder: 1_000n,
      market: -2_000_000n,
      alice: 1_850_000n,
      feeRecipient: 150_000n,
    })
    await story.act('requester', 'rate', { worker: 'alice', rating: 71 })
    await story.awards([{ worker: 'alice', gross: '2000000', net: '1850000', fee: '150000', rating: 71 }])
    await story.offers([])
  })

  test('holds the stake of its worker and gives it back with the reward', async () => {
    const story = await tellStory(world, { cast: ['alice'], task: withStake })
    await story.offers([`claim by any worker for ${stake}`, ...openOffers])
    await story.act('alice', 'claim')
    await story.money({ requester: -2_000_000n, alice: -stake, market: 2_000_000n + stake })
    await story.act('alice', 'submit')
    await story.act('requester', 'accept', { worker: 'alice' })
    await story.money({
      requester: -1_000n,
      forwarder: 1_000n,
      market: -2_000_000n - stake,
      alice: 1_850_000n + stake,
      feeRecipient: 150_000n,
    })
    await story.awards([{ worker: 'alice', gross: '2000000', net: '1850000', fee: '150000' }])
  })

  test('whose worker let it expire loses him his stake, and has a second round', async () => {
    const story = await tellStory(world, { cast: ['alice', 'bob'], task: withStake })
    await story.act('alice', 'claim')
    await story.refused('requester', 'forfeit', { status: 409 })
    await story.money({ requester: -2_000_000n, alice: -stake, market: 2_000_000n + stake })
    await story.until((await story.task()).expiryTime)
    await story.sees({ status: 'claimed', phase: 'awaiting_settlement', submissionWindowOpen: false })
    await story.offers(['forfeit by requester', ...refundOffers])
    await story.refused('alice', 'submit', { status: 409 })
    await story.refused('bob', 'forfeit', { status: 403 })

    await story.act('requester', 'forfeit')
    await story.money({ market: -stake, feeRecipient: stake })
    await story.sees({ status: 'open', phase: 'awaiting_settlement', claimedBy: null, claimRound: 1 })
    await story.offers([...openOffers, ...refundOffers])
    await story.refused('bob', 'claim', { status: 409 })
    await story.act('requester', 'update', { expiryTime: Number(await world.chain.headTime()) + 86_400 })
    await story.sees({ status: 'open', phase: 'active' })

    await story.act('bob', 'claim')
    await story.act('bob', 'submit')
    await story.act('requester', 'accept', { worker: 'bob' })
    await story.money({
      requester: -2_000n,
      forwarder: 2_000n,
      market: -2_000_000n,
      bob: 1_850_000n,
      feeRecipient: 150_000n,
    })
    await story.act('requester', 'rate', { worker: 'bob', rating: 95 })
    await story.awards([{ worker: 'bob', gross: '2000000', net: '1850000', fee: '150000', rating: 95 }])
  })

  test('that nobody delivered goes back to its requester after the expiry, the stake to the fee recipient', async () => {
    const story = await tellStory(world, { cast: ['alice', 'bob'], task: withStake })
    await story.act('alice', 'claim')
    await story.refused('bob', 'refund_expired', { status: 409 })
    await story.until((await story.task()).expiryTime)
    await story.act('bob', 'refund_expired')
    await story.money({ alice: -stake, bob: -1_000n, forwarder: 1_000n, feeRecipient: stake })
    await story.sees({ status: 'expired', phase: 'resolved' })
    await story.nothingInEscrow()
    await story.offers([])
  })

  test('delivered and never answered pays its worker after 90 days, who can be rated still', async () => {
    const story = await tellStory(world, { cast: ['alice', 'bob'], task: withStake })
    await story.act('alice', 'claim')
    await story.act('alice', 'submit')
    const expiry = toSeconds((await story.task()).expiryTime)
    await story.until(expiry)
    await story.sees({ status: 'pending_approval', phase: 'active' })
    await story.offers(['accept by requester for 1000'])
    await story.refused('bob', 'refund_expired', { status: 409 })
    await story.until(expiry + ninetyDays - 7n * 86_400n - 1n)
    await story.offers(['accept by requester for 1000'])
    await story.until(expiry + ninetyDays - 7n * 86_400n)
    await story.offers(['accept by requester for 1000', 'settle_stale by anyone'])
    await story.refused('bob', 'settle_stale', { status: 409 })
    await story.until(expiry + ninetyDays)
    await story.offers(['accept by requester for 1000', 'settle_stale by anyone'])
    await story.act('bob', 'settle_stale')
    await story.money({ requester: -2_000_000n, alice: 1_850_000n, feeRecipient: 150_000n })
    await story.awards([{ worker: 'alice', gross: '2000000', net: '1850000', fee: '150000' }])
    await story.act('requester', 'rate', { worker: 'alice', rating: 50 })
    await story.awards([{ worker: 'alice', gross: '2000000', net: '1850000', fee: '150000', rating: 50 }])
  })

  test('delivered and objected to gives the reward back after 90 days, and the stake to its worker', async () => {
    const story = await tellStory(world, { cast: ['alice', 'bob'], task: withStake })
    await story.act('alice', 'claim')
    await story.refused('requester', 'object', { status: 409 })
    await story.act('alice', 'submit')
    await story.refused('alice', 'object', { status: 403 })
    await story.act('requester', 'object')
    await story.refused('requester', 'object', { status: 409 })
    await story.offers(['accept by requester for 1000'])
    await story.until(toSeconds((await story.task()).expiryTime) + ninetyDays)
    await story.act('bob', 'settle_stale')
    await story.money({ requester: -1_000n, forwarder: 1_000n })
    await story.sees({ status: 'expired', phase: 'resolved', awards: [] })
    await story.nothingInEscrow()
  })

  test('can be cancelled or updated until it is claimed', async () => {
    const story = await tellStory(world, { cast: ['alice'], task: withStake })
    await story.act('requester', 'update', { reward: '4000000' })
    await story.offers([`claim by any worker for ${2n * stake}`, ...openOffers])
    await story.act('requester', 'cancel')
    await story.money({ requester: -2_000n, forwarder: 2_000n })
    await story.sees({ status: 'cancelled', phase: 'resolved' })
    await story.refused('alice', 'claim', { status: 409 })
  })
})
