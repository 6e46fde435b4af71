import { describe, expect, test } from 'vitest'
import { admitCreation } from '../../../../api/domain/creation/admit-creation.ts'
import type { CreationMarket, CreationTerms } from '../../../../api/domain/creation/creation-terms.ts'
import { alice, bob, stranger } from '../../../support/task-snapshots.ts'
import { aSentence } from '../sentence.ts'

const bounty: CreationTerms = {
  reward: 5_000_000n,
  duration: 86_400n,
  mode: 'bounty',
  taskVisibility: 'public',
  stakeRequired: false,
  stakeBps: 0,
  evaluatorFeeBps: 0,
}
const auction = { mode: 'auction', maxPrice: bounty.reward, auctionType: 'english', bidDeadline: 3600n } as const
const dutch = { ...auction, auctionType: 'dutch', auctionFloorPrice: 1n, bidDeadline: undefined } as const
const zero = `0x${'00'.repeat(20)}` as const
const hooks = Array.from({ length: 9 }, (_, index) => `0x${(index + 1).toString(16).padStart(40, '0')}` as const)

/** With a fee of 7.5 % and no hooks of its own, unless `market` says otherwise. */
function create(
  terms: Partial<CreationTerms>,
  market: Partial<CreationMarket> = {},
  requester: `0x${string}` | null = null,
) {
  const usual = { entriesPaused: false, platformFeeBps: 750, defaultHooks: [] }
  const refusal = admitCreation({ ...bounty, ...terms }, { ...usual, ...market }, { requester })
  if (refusal !== null) expect(refusal.message).toMatch(aSentence)
  return refusal
}

describe('a bounty', () => {
  test.each<[string, Partial<CreationTerms>]>([
    ['as it is', {}],
    ['of the smallest reward', { reward: 1000n }],
    ['of the largest reward', { reward: 2n ** 72n - 1n }],
    ['unlisted', { taskVisibility: 'unlisted' }],
    ['with an empty list of viewers', { allowedViewers: [] }],
    ['of a drop', { taskDropId: 'a' }],
    ['that makes a drop', { taskDropCreate: {} }],
    ['with a deadline of another mode', { pitchDeadline: 90_000n, bidDeadline: 90_000n }],
  ])('given one %s, then it is admitted', (_name, terms) => {
    expect(create(terms)).toBeNull()
  })

  test('given hooks of the market, then it may have data for them', () => {
    expect(create({ hookData: '0x00' }, { defaultHooks: [alice] })).toBeNull()
  })

  test('given a pause of the market, then it is refused as a matter of state', () => {
    expect(create({}, { entriesPaused: true })).toMatchObject({ status: 409, failure: 'market_paused' })
  })
})

describe('a task of every other mode', () => {
  test.each<[string, Partial<CreationTerms>]>([
    ['to be pitched for until it expires', { mode: 'pitch' }],
    ['to be pitched for until just then', { mode: 'pitch', pitchDeadline: 86_400n }],
    ['a benchmark', { mode: 'benchmark' }],
    ['an english auction', auction],
    [
      'a reverse english auction until just before the expiry',
      { ...auction, auctionType: 'reverse_english', bidDeadline: 86_399n },
    ],
    ['a dutch auction', dutch],
    ['a reverse dutch auction', { ...dutch, auctionType: 'reverse_dutch', auctionStartPrice: bounty.reward }],
    ['a clock that runs until the expiry', { ...dutch, bidDeadline: 86_400n }],
    ['with an evaluator', { evaluator: alice }],
    ['with a hook', { hookContract: alice, hookData: '0x00' }],
    ['with empty hook data', { hookData: '0x' }],
    ['with hooks', { hookContracts: hooks.slice(0, 8) }],
  ])('given %s, then it is admitted', (_name, terms) => {
    expect(create(terms)).toBeNull()
  })
})

describe('a task to be claimed', () => {
  test.each<[string, Partial<CreationTerms>]>([
    ['without a stake', {}],
    ['with a stake', { stakeRequired: true, stakeBps: 1 }],
    ['with all of the reward at stake', { stakeRequired: true, stakeBps: 10_000 }],
    ['with a stake that rounds to nothing', { stakeRequired: true, stakeBps: 1, reward: 1000n }],
  ])('given one %s, then it is admitted', (_name, terms) => {
    expect(create({ mode: 'claim', ...terms })).toBeNull()
  })
})

describe('invalid terms', () => {
  test.each<[string, Partial<CreationTerms>, string]>([
    ['reward_too_low', { reward: 0n }, 'reward'],
    ['reward_too_low', { reward: 999n }, 'reward'],
    ['reward_too_high', { reward: 2n ** 72n }, 'reward'],
    ['zero_price', { maxPrice: 0n }, 'maxPrice'],
    ['zero_price', { ...dutch, auctionFloorPrice: 0n }, 'auctionFloorPrice'],
    ['zero_price', { auctionStartPrice: 0n }, 'auctionStartPrice'],
    ['auction_type_missing', { ...auction, auctionType: undefined }, 'auctionType'],
    ['max_price_not_reward', { ...auction, maxPrice: undefined }, 'maxPrice'],
    ['max_price_not_reward', { ...auction, maxPrice: bounty.reward + 1n }, 'maxPrice'],
    ['max_price_not_reward', { ...auction, maxPrice: bounty.reward - 1n }, 'maxPrice'],
    ['clock_price_missing', { ...dutch, auctionFloorPrice: undefined }, 'auctionFloorPrice'],
    ['clock_price_missing', { ...dutch, auctionType: 'reverse_dutch' }, 'auctionStartPrice'],
    ['clock_price_above_reward', { ...dutch, auctionFloorPrice: bounty.reward + 1n }, 'auctionFloorPrice'],
    ['stake_outside_claim', { stakeRequired: true, stakeBps: 100 }, 'stakeRequired'],
    ['stake_missing', { mode: 'claim', stakeRequired: true }, 'stakeBps'],
    ['stake_not_required', { mode: 'claim', stakeBps: 1 }, 'stakeBps'],
    ['stake_not_required', { stakeBps: 100 }, 'stakeBps'],
    ['invalid_hooks', { hookData: '0x00' }, 'hookData'],
    ['pitch_deadline_after_expiry', { mode: 'pitch', pitchDeadline: 86_401n }, 'pitchDeadline'],
    ['bid_deadline_not_before_expiry', { ...auction, bidDeadline: undefined }, 'bidDeadline'],
    ['bid_deadline_not_before_expiry', { ...auction, bidDeadline: 86_400n }, 'bidDeadline'],
    [
      'bid_deadline_not_before_expiry',
      { ...auction, auctionType: 'reverse_english', bidDeadline: 86_400n },
      'bidDeadline',
    ],
    ['bid_deadline_after_expiry', { ...dutch, bidDeadline: 86_401n }, 'bidDeadline'],
    ['invalid_hooks', { hookContract: zero }, 'hookContract'],
    ['invalid_hooks', { hookContract: alice, hookContracts: [bob] }, 'hookContracts'],
    ['invalid_hooks', { hookContracts: [] }, 'hookContracts'],
    ['invalid_hooks', { hookContracts: hooks }, 'hookContracts'],
    ['invalid_hooks', { hookContracts: [alice, alice] }, 'hookContracts'],
    ['invalid_hooks', { hookContracts: [alice, zero] }, 'hookContracts'],
    ['evaluator_missing', { evaluatorFeeBps: 1 }, 'evaluatorFeeBps'],
    ['evaluator_missing', { evaluationWindowHours: 3600n }, 'evaluationWindowHours'],
    ['evaluator_missing', { appealWindowHours: 3600n }, 'appealWindowHours'],
    ['evaluator_missing', { disputeResolver: alice }, 'disputeResolver'],
    ['two_task_drops', { taskDropId: 'a', taskDropCreate: {} }, 'taskDropId'],
    ['private_access_missing', { taskVisibility: 'private' }, 'allowedViewers'],
    ['private_access_missing', { taskVisibility: 'private', allowedViewers: [] }, 'allowedViewers'],
    ['access_without_private', { allowedViewers: [alice] }, 'allowedViewers'],
    ['access_without_private', { taskVisibility: 'unlisted', accessPassword: '12345678' }, 'accessPassword'],
  ])('given terms with %s (%o), then they are refused with their field', (failure, terms, field) => {
    expect(create(terms)).toMatchObject({ status: 400, failure, field })
  })
})

describe('an evaluator', () => {
  const evaluated = { evaluator: alice }

  test.each<[string, Partial<CreationTerms>]>([
    ['with a resolver of disputes', { ...evaluated, disputeResolver: bob }],
    ['who gets all that the platform leaves', { ...evaluated, evaluatorFeeBps: 9250 }],
    ['whose verdict can be appealed for the shortest time', { ...evaluated, appealWindowHours: 300n }],
    ['who has a second', { ...evaluated, evaluationWindowHours: 1n }],
  ])('given one %s, then it is admitted', (_name, terms) => {
    expect(create(terms)).toBeNull()
    expect(create(terms, {}, stranger)).toBeNull()
  })

  test.each<[string, Partial<CreationTerms>, string]>([
    ['invalid_evaluator', { evaluator: zero }, 'evaluator'],
    ['invalid_evaluator', { ...evaluated, disputeResolver: zero }, 'disputeResolver'],
    ['invalid_evaluator', { ...evaluated, disputeResolver: alice }, 'disputeResolver'],
    ['fees_too_high', { ...evaluated, evaluatorFeeBps: 9251 }, 'evaluatorFeeBps'],
    ['appeal_window_too_short', { ...evaluated, appealWindowHours: 299n }, 'appealWindowHours'],
  ])('given one with %s (%o), then it is refused before any payment', (failure, terms, field) => {
    expect(create(terms)).toMatchObject({ status: 400, failure, field })
  })

  test('given the market’s fee, then its share is of what that leaves', () => {
    expect(create({ ...evaluated, evaluatorFeeBps: 8000 }, { platformFeeBps: 2000 })).toBeNull()
    expect(create({ ...evaluated, evaluatorFeeBps: 8001 }, { platformFeeBps: 2000 })).toMatchObject({
      failure: 'fees_too_high',
      message: expect.stringContaining('at most 8000:'),
    })
    expect(create({ ...evaluated, evaluatorFeeBps: 10_000 }, { platformFeeBps: 0 })).toBeNull()
  })

  test.each<[string, Partial<CreationTerms>]>([
    ['evaluator', evaluated],
    ['disputeResolver', { evaluator: bob, disputeResolver: alice }],
  ])('given the payer as %s, then it is refused', (field, terms) => {
    expect(create(terms)).toBeNull()
    expect(create(terms, {}, alice)).toMatchObject({ status: 403, failure: 'requester_cannot_judge', field })
  })
})

describe('hooks beside the market’s own', () => {
  test.each<[string, Partial<CreationTerms>, number]>([
    ['one after seven', { hookContract: alice }, 7],
    ['two after six', { hookContracts: [alice, bob] }, 6],
    ['none after eight', {}, 8],
  ])('given %s, then they are admitted', (_name, terms, count) => {
    expect(create(terms, { defaultHooks: hooks.slice(0, count) })).toBeNull()
  })

  test.each<[string, Partial<CreationTerms>, number, string]>([
    ['one after eight', { hookContract: alice }, 8, 'hookContract'],
    ['two after seven', { hookContracts: [alice, bob] }, 7, 'hookContracts'],
    ['one of the market’s', { hookContract: hooks[2] }, 3, 'hookContract'],
    ['one of the market’s among others', { hookContracts: [alice, hooks[0] ?? zero] }, 3, 'hookContracts'],
  ])('given %s, then they are refused', (_name, terms, count, field) => {
    expect(create(terms, { defaultHooks: hooks.slice(0, count) })).toMatchObject({
      status: 400,
      failure: 'invalid_hooks',
      field,
    })
  })
})
