import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { admit } from '../../../../api/domain/actions/admit.ts'
import type { UpdateArgs } from '../../../../api/domain/actions/update.ts'
import { noTexts } from '../../../../protocol/documents/revise-texts.ts'
import { updateTask } from '../../../../protocol/operations/update-task.ts'
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
  test.each([fresh, entered])('given any entries, then it may be raised', (task) => {
    expect(update({ reward: task.reward + 1n }, { task })).toBeNull()
    expect(update({ reward: task.reward + 1n }, { task, now: EXPIRY + 1n })).toBeNull()
  })

  test('given no entry, then it may be lowered; given one, then never, whatever its state', () => {
    expect(update({ reward: fresh.reward - 1n })).toBeNull()
    for (const task of [entered, rejectedOnly]) {
      expect(update({ reward: task.reward - 1n }, { task })).toMatchObject({ status: 409, failure: 'terms_locked' })
    }
  })

  test.each([0n, 999n, 2n ** 72n])('given %d base units, then it is refused', (reward) => {
    expect(update({ reward })).toMatchObject({ status: 400, failure: 'invalid_reward', field: 'reward' })
  })

  test.each([1000n, 2n ** 72n - 1n])('given %d base units, then it is admitted', (reward) => {
    expect(update({ reward })).toBeNull()
  })

  test('given a pause of the market, then it may not be raised, and other changes are admitted', () => {
    const task = { ...fresh, entriesPaused: true }
    expect(update({ reward: fresh.reward + 1n }, { task })).toMatchObject({ status: 409, failure: 'market_paused' })
    expect(update({ reward: fresh.reward - 1n }, { task })).toBeNull()
    expect(update({ expiryTime: EXPIRY + 1n }, { task })).toBeNull()
  })
})

describe('the expiry', () => {
  test.each([NOW, EXPIRY + 5n])('given the chain at %d, then it may be extended', (now) => {
    expect(update({ expiryTime: EXPIRY + 10n }, { task: entered, now })).toBeNull()
  })

  test('given no entry, then it may be brought forward; given one, then not', () => {
    expect(update({ expiryTime: EXPIRY - 1n })).toBeNull()
    for (const task of [entered, rejectedOnly]) {
      expect(update({ expiryTime: EXPIRY - 1n }, { task })).toMatchObject({ status: 409, failure: 'terms_locked' })
    }
  })

  test('given a time, then it must be in the future, at most ten years', () => {
    expect(update({ expiryTime: NOW })).toMatchObject({ status: 400, failure: 'invalid_expiry' })
    expect(update({ expiryTime: NOW + 1n })).toBeNull()
    expect(update({ expiryTime: NOW + TEN_YEARS })).toBeNull()
    expect(update({ expiryTime: NOW + TEN_YEARS + 1n })).toMatchObject({ status: 400, failure: 'invalid_expiry' })
  })

  test('given it is repeated beside another change, then it is admitted, also when it has passed', () => {
    expect(update({ expiryTime: EXPIRY, textsChange: true }, { now: EXPIRY + 1n })).toBeNull()
  })
})

describe('an update', () => {
  test('given no change, then it is refused', () => {
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
    'given a %s, then it is refused: a bounty has none',
    (field) => {
      expect(update({ [field]: EXPIRY, textsChange: true })).toMatchObject({
        status: 400,
        failure: 'wrong_mode',
        field,
      })
    },
  )

  test('given another wallet than the requester, then it is refused', () => {
    expect(update({ textsChange: true }, { actor: stranger })).toMatchObject({ status: 403 })
    expect(update({ textsChange: true }, { actor: null })).toBeNull()
  })

  const unchanged = updateTask.normalise({ taskId: '0x9f', documentSalt: '0x5a' })

  test('given a higher reward, then it costs the fee and the difference, which becomes escrow', () => {
    fc.assert(
      fc.property(fc.option(fc.bigInt({ min: 0n, max: 2n ** 72n }), { nil: undefined }), (reward) => {
        const growth = reward !== undefined && reward > fresh.reward ? reward - fresh.reward : 0n
        expect(updateTask.price.of({ ...unchanged, reward }, { reward: fresh.reward, texts: noTexts })).toEqual({
          fee: 1000n,
          escrow: growth,
        })
      }),
    )
  })
})
