import { describe, test } from 'vitest'
import { openEnvironment } from '../support/conformance.ts'
import { aClaimTask } from '../support/conformance-fixtures.ts'
import { startScenario } from '../support/scenarios/scenario.ts'

const environment = openEnvironment()

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
    const scenario = await startScenario(environment, { actors: ['alice', 'bob'], task: aClaimTask() })
    await scenario.offers(['claim by any worker', ...openOffers])
    await scenario.refused('alice', 'submit', { status: 409 })
    await scenario.act('alice', 'claim')
    await scenario.sees({ status: 'claimed', phase: 'active', claimedBy: 'alice', submissionWindowOpen: true })
    await scenario.offers(['submit by alice'])
    await scenario.refused('bob', 'claim', { status: 409 })
    await scenario.refused('bob', 'submit', { status: 403 })

    await scenario.act('alice', 'submit')
    await scenario.sees({
      status: 'pending_approval',
      phase: 'active',
      submissionWindowOpen: false,
      submissionCount: 1,
    })
    await scenario.offers(['accept by requester for 1000'])
    await scenario.money({ requester: -2_000_000n, market: 2_000_000n })
    await scenario.act('requester', 'accept', { worker: 'alice' })
    await scenario.money({
      requester: -1_000n,
      forwarder: 1_000n,
      market: -2_000_000n,
      alice: 1_850_000n,
      feeRecipient: 150_000n,
    })
    await scenario.act('requester', 'rate', { worker: 'alice', rating: 71 })
    await scenario.awards([{ worker: 'alice', gross: '2000000', net: '1850000', fee: '150000', rating: 71 }])
    await scenario.offers([])
  })

  test('holds the stake of its worker and gives it back with the reward', async () => {
    const scenario = await startScenario(environment, { actors: ['alice'], task: withStake })
    await scenario.offers([`claim by any worker for ${stake}`, ...openOffers])
    await scenario.act('alice', 'claim')
    await scenario.money({ requester: -2_000_000n, alice: -stake, market: 2_000_000n + stake })
    await scenario.act('alice', 'submit')
    await scenario.act('requester', 'accept', { worker: 'alice' })
    await scenario.money({
      requester: -1_000n,
      forwarder: 1_000n,
      market: -2_000_000n - stake,
      alice: 1_850_000n + stake,
      feeRecipient: 150_000n,
    })
    await scenario.awards([{ worker: 'alice', gross: '2000000', net: '1850000', fee: '150000' }])
  })

  test('whose worker let it expire loses him his stake, and has a second round', async () => {
    const scenario = await startScenario(environment, { actors: ['alice', 'bob'], task: withStake })
    await scenario.act('alice', 'claim')
    await scenario.refused('requester', 'forfeit', { status: 409 })
    await scenario.money({ requester: -2_000_000n, alice: -stake, market: 2_000_000n + stake })
    await scenario.until((await scenario.task()).expiryTime)
    await scenario.sees({ status: 'claimed', phase: 'awaiting_settlement', submissionWindowOpen: false })
    await scenario.offers(['forfeit by requester', ...refundOffers])
    await scenario.refused('alice', 'submit', { status: 409 })
    await scenario.refused('bob', 'forfeit', { status: 403 })

    await scenario.act('requester', 'forfeit')
    await scenario.money({ market: -stake, feeRecipient: stake })
    await scenario.sees({ status: 'open', phase: 'awaiting_settlement', claimedBy: null, claimRound: 1 })
    await scenario.offers([...openOffers, ...refundOffers])
    await scenario.refused('bob', 'claim', { status: 409 })
    await scenario.act('requester', 'update', { expiryTime: Number(await environment.chain.headTime()) + 86_400 })
    await scenario.sees({ status: 'open', phase: 'active' })

    await scenario.act('bob', 'claim')
    await scenario.act('bob', 'submit')
    await scenario.act('requester', 'accept', { worker: 'bob' })
    await scenario.money({
      requester: -2_000n,
      forwarder: 2_000n,
      market: -2_000_000n,
      bob: 1_850_000n,
      feeRecipient: 150_000n,
    })
    await scenario.act('requester', 'rate', { worker: 'bob', rating: 95 })
    await scenario.awards([{ worker: 'bob', gross: '2000000', net: '1850000', fee: '150000', rating: 95 }])
  })

  test('that nobody delivered goes back to its requester after the expiry, the stake to the fee recipient', async () => {
    const scenario = await startScenario(environment, { actors: ['alice', 'bob'], task: withStake })
    await scenario.act('alice', 'claim')
    await scenario.refused('bob', 'refund_expired', { status: 409 })
    await scenario.until((await scenario.task()).expiryTime)
    await scenario.act('bob', 'refund_expired')
    await scenario.money({ alice: -stake, bob: -1_000n, forwarder: 1_000n, feeRecipient: stake })
    await scenario.sees({ status: 'expired', phase: 'resolved' })
    await scenario.nothingInEscrow()
    await scenario.offers([])
  })

  test('delivered and never answered pays its worker after 90 days, who can be rated still', async () => {
    const scenario = await startScenario(environment, { actors: ['alice', 'bob'], task: withStake })
    await scenario.act('alice', 'claim')
    await scenario.act('alice', 'submit')
    const expiry = toSeconds((await scenario.task()).expiryTime)
    await scenario.until(expiry)
    await scenario.sees({ status: 'pending_approval', phase: 'active' })
    await scenario.offers(['accept by requester for 1000'])
    await scenario.refused('bob', 'refund_expired', { status: 409 })
    await scenario.until(expiry + ninetyDays - 7n * 86_400n - 1n)
    await scenario.offers(['accept by requester for 1000'])
    await scenario.until(expiry + ninetyDays - 7n * 86_400n)
    await scenario.offers(['accept by requester for 1000', 'settle_stale by anyone'])
    await scenario.refused('bob', 'settle_stale', { status: 409 })
    await scenario.until(expiry + ninetyDays)
    await scenario.offers(['accept by requester for 1000', 'settle_stale by anyone'])
    await scenario.act('bob', 'settle_stale')
    await scenario.money({ requester: -2_000_000n, alice: 1_850_000n, feeRecipient: 150_000n })
    await scenario.awards([{ worker: 'alice', gross: '2000000', net: '1850000', fee: '150000' }])
    await scenario.act('requester', 'rate', { worker: 'alice', rating: 50 })
    await scenario.awards([{ worker: 'alice', gross: '2000000', net: '1850000', fee: '150000', rating: 50 }])
  })

  test('delivered and objected to gives the reward back after 90 days, and the stake to its worker', async () => {
    const scenario = await startScenario(environment, { actors: ['alice', 'bob'], task: withStake })
    await scenario.act('alice', 'claim')
    await scenario.refused('requester', 'object', { status: 409 })
    await scenario.act('alice', 'submit')
    await scenario.refused('alice', 'object', { status: 403 })
    await scenario.act('requester', 'object')
    await scenario.refused('requester', 'object', { status: 409 })
    await scenario.offers(['accept by requester for 1000'])
    await scenario.until(toSeconds((await scenario.task()).expiryTime) + ninetyDays)
    await scenario.act('bob', 'settle_stale')
    await scenario.money({ requester: -1_000n, forwarder: 1_000n })
    await scenario.sees({ status: 'expired', phase: 'resolved', awards: [] })
    await scenario.nothingInEscrow()
  })

  test('can be cancelled or updated until it is claimed', async () => {
    const scenario = await startScenario(environment, { actors: ['alice'], task: withStake })
    await scenario.act('requester', 'update', { reward: '4000000' })
    await scenario.offers([`claim by any worker for ${2n * stake}`, ...openOffers])
    await scenario.act('requester', 'cancel')
    await scenario.money({ requester: -2_000n, forwarder: 2_000n })
    await scenario.sees({ status: 'cancelled', phase: 'resolved' })
    await scenario.refused('alice', 'claim', { status: 409 })
  })
})
