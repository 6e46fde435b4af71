import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { admit } from '../../../../api/domain/actions/admit.ts'
import { chargeOfUpdate, type UpdateArgs } from '../../../../api/domain/actions/update.ts'
import { aContest, alice, aSnapshot, bob, EXPIRY, requester, stranger } from '../../../support/task-snapshots.ts'

const NOW = EXPIRY - 1000n
const TEN_YEARS = 315_360_000n
const fresh = aSnapshot()
const entered = aContest({ [alice]: 'standing' })
const rejectedOnly = aContest({ [bob]: 'rejected' })

function update(
  args: Partial<UpdateArgs>,
  { task = fresh, actor = requester as `0x${string}` | null, now = NOW } = {},
) {
  return admit('update', task, { actor, now, args: { textsChange: false, ...args } })
}

describe('the reward', () => {
  test.each([fresh, entered])('may always be raised', (task) => {
    expect(update({ reward: task.reward + 1n }, { task })).toBeNull()
    expect(update({ reward: task.reward + 1n }, { task, now: EXPIRY + 1n })).toBeNull()
  })

  test('may be lowered before the first entry only, whatever became of it', () => {
    expect(update({ reward: fresh.reward - 1n })).toBeNull()
    for (const task of [entered, rejectedOnly]) {
      expect(update({ reward: task.reward - 1n }, { task })).toMatchObject({ status: 409, failure: 'terms_locked' })
    }
  })

  test.each([0n, 999n, 2n ** 72n])('must not be %d base units', (reward) => {
    expect(update({ reward })).toMatchObject({ status: 400, failure: 'invalid_reward', field: 'reward' })
  })

  test.each([1000n, 2n ** 72n - 1n])('may be %d base units', (reward) => {
    expect(update({ reward })).toBeNull()
  })

  test('may not be raised while the market is paused; everything else goes on', () => {
    const task = { ...fresh, entriesPaused: true }
    expect(update({ reward: fresh.reward + 1n }, { task })).toMatchObject({ status: 409, failure: 'market_paused' })
    expect(update({ reward: fresh.reward - 1n }, { task })).toBeNull()
    expect(update({ expiryTime: EXPIRY + 1n }, { task })).toBeNull()
  })
})

describe('the expiry', () => {
  test.each([NOW, EXPIRY + 5n])('may always be extended, also when the chain is at %d', (now) => {
    expect(update({ expiryTime: EXPIRY + 10n }, { task: entered, now })).toBeNull()
  })

  test('may be brought forward before the first entry only', () => {
    expect(update({ expiryTime: EXPIRY - 1n })).toBeNull()
    for (const task of [entered, rejectedOnly]) {
      expect(update({ expiryTime: EXPIRY - 1n }, { task })).toMatchObject({ status: 409, failure: 'terms_locked' })
    }
  })

  test('must lie in the future, at most ten years', () => {
    expect(update({ expiryTime: NOW })).toMatchObject({ status: 400, failure: 'invalid_expiry' })
    expect(update({ expiryTime: NOW + 1n })).toBeNull()
    expect(update({ expiryTime: NOW + TEN_YEARS })).toBeNull()
    expect(update({ expiryTime: NOW + TEN_YEARS + 1n })).toMatchObject({ status: 400, failure: 'invalid_expiry' })
  })

  test('may be repeated beside another change, also when it has passed', () => {
    expect(update({ expiryTime: EXPIRY, textsChange: true }, { now: EXPIRY + 1n })).toBeNull()
  })
})

describe('an update', () => {
  test('that changes nothing is refused', () => {
    for (const args of [
      {},
      { reward: fresh.reward },
      { expiryTime: EXPIRY },
      { reward: fresh.reward, expiryTime: EXPIRY },
    ]) {
      expect(update(args)).toMatchObject({ status: 409, failure: 'nothing_to_update' })
    }
  })

  test.each(['pitchDeadline', 'bidDeadline', 'auctionFloorPrice', 'auctionStartPrice'] as const)(
    'of a %s is refused: a bounty has none',
    (field) => {
      expect(update({ [field]: EXPIRY, textsChange: true })).toMatchObject({
        status: 400,
        failure: 'wrong_mode',
        field,
      })
    },
  )

  test('is the requester’s alone', () => {
    expect(update({ textsChange: true }, { actor: stranger })).toMatchObject({ status: 403 })
    expect(update({ textsChange: true }, { actor: null })).toBeNull()
  })

  test('costs the fee and what the reward grows by, which goes into escrow', () => {
    fc.assert(
      fc.property(fc.option(fc.bigInt({ min: 0n, max: 2n ** 72n }), { nil: undefined }), (reward) => {
        const growth = reward !== undefined && reward > fresh.reward ? reward - fresh.reward : 0n
        expect(chargeOfUpdate(fresh, { reward })).toEqual({ amount: 1000n + growth, escrow: growth })
      }),
    )
  })
})
