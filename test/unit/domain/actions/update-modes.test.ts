import { describe, expect, test } from 'vitest'
import { admit } from '../../../../api/domain/actions/admit.ts'
import type { UpdateArgs } from '../../../../api/domain/actions/update.ts'
import { listPendingActions } from '../../../../api/domain/pending-actions.ts'
import type { TaskSnapshot } from '../../../../api/domain/task-snapshot.ts'
import { aSnapshot, EXPIRY, requester } from '../../../support/task-snapshots.ts'

const NOW = EXPIRY - 1000n
const ENTRIES_END = EXPIRY - 500n

const pitch = aSnapshot({ mode: 'pitch', pitchDeadline: ENTRIES_END })
const auction = (auctionType: NonNullable<TaskSnapshot['auctionType']>, facts: Partial<TaskSnapshot> = {}) =>
  aSnapshot({ mode: 'auction', auctionType, bidDeadline: ENTRIES_END, ...facts })
const english = auction('english')
const dutch = auction('dutch', { clockPrice: 1_000_000n })
const reverseDutch = auction('reverse_dutch', { clockPrice: 1_000_000n })

function update(task: TaskSnapshot, args: Partial<UpdateArgs>, now = NOW) {
  return admit('update', task, { actor: requester, now, args: { textsChange: false, ...args } })
}

const invalid = (failure: string, field: string) => ({ status: 400, failure, field })

describe('a deadline of entries', () => {
  test.each([
    ['pitchDeadline', pitch],
    ['bidDeadline', english],
    ['bidDeadline', dutch],
  ] as const)('given %s and no entry, then it may be moved either way', (field, task) => {
    expect(update(task, { [field]: ENTRIES_END + 1n })).toBeNull()
    expect(update(task, { [field]: ENTRIES_END - 1n })).toBeNull()
    expect(update(task, { [field]: NOW + 1n })).toBeNull()
    expect(update(task, { [field]: NOW })).toMatchObject(invalid('invalid_deadline', field))
    expect(update(task, { [field]: ENTRIES_END })).toMatchObject({ status: 409, failure: 'nothing_to_update' })
  })

  test('given no choice among bids, then it may equal the expiry, and must precede it otherwise', () => {
    expect(update(pitch, { pitchDeadline: EXPIRY })).toBeNull()
    expect(update(dutch, { bidDeadline: EXPIRY })).toBeNull()
    expect(update(english, { bidDeadline: EXPIRY - 1n })).toBeNull()
    expect(update(english, { bidDeadline: EXPIRY })).toMatchObject(invalid('deadline_after_expiry', 'bidDeadline'))
    expect(update(auction('reverse_english'), { bidDeadline: EXPIRY })).toMatchObject({ status: 400 })
    expect(update(pitch, { pitchDeadline: EXPIRY + 1n })).toMatchObject(
      invalid('deadline_after_expiry', 'pitchDeadline'),
    )
  })

  test('given it has passed, then it may be extended, or stay', () => {
    expect(update(pitch, { pitchDeadline: ENTRIES_END + 2n }, ENTRIES_END + 1n)).toBeNull()
    expect(update(pitch, { textsChange: true }, ENTRIES_END + 1n)).toBeNull()
    expect(update(english, { reward: 6_000_000n, bidDeadline: ENTRIES_END }, ENTRIES_END + 1n)).toBeNull()
  })

  test('given a pitch, then it cannot be brought forward', () => {
    const entered = { ...pitch, pitchCount: 1 }
    expect(update(entered, { pitchDeadline: ENTRIES_END + 1n })).toBeNull()
    expect(update(entered, { pitchDeadline: ENTRIES_END - 1n })).toMatchObject({
      status: 409,
      failure: 'terms_locked',
      field: 'pitchDeadline',
    })
    expect(update(entered, { expiryTime: EXPIRY - 1n })).toMatchObject({ status: 409, field: 'expiryTime' })
    expect(update(entered, { reward: 4_999_999n })).toMatchObject({ status: 409, field: 'reward' })
    expect(update(entered, { reward: 5_000_001n })).toBeNull()
  })
})

describe('the expiry', () => {
  test('given an earlier expiry, then the deadline of entries does not move: both must be given', () => {
    const untilExpiry = { ...pitch, pitchDeadline: EXPIRY }
    const sooner = EXPIRY - 100n
    expect(update(untilExpiry, { expiryTime: sooner })).toMatchObject(invalid('deadline_after_expiry', 'expiryTime'))
    expect(update(untilExpiry, { expiryTime: sooner, pitchDeadline: sooner })).toBeNull()
    expect(update(english, { expiryTime: ENTRIES_END })).toMatchObject(invalid('deadline_after_expiry', 'expiryTime'))
    expect(update(english, { expiryTime: ENTRIES_END + 1n })).toBeNull()
    expect(update(dutch, { expiryTime: ENTRIES_END })).toBeNull()
  })
})

describe('the price of a clock', () => {
  test.each([
    ['auctionFloorPrice', dutch],
    ['auctionStartPrice', reverseDutch],
  ] as const)('given %s, then it is 1 up to the reward', (field, task) => {
    expect(update(task, { [field]: 1n })).toBeNull()
    expect(update(task, { [field]: task.reward })).toBeNull()
    for (const price of [0n, task.reward + 1n]) {
      expect(update(task, { [field]: price })).toMatchObject(invalid('invalid_price', field))
    }
    expect(update(task, { [field]: task.reward + 1n, reward: task.reward + 1n })).toBeNull()
    expect(update(task, { [field]: 1_000_000n })).toMatchObject({ status: 409, failure: 'nothing_to_update' })
  })

  test('given a reward below it, then the update is refused', () => {
    expect(update(dutch, { reward: 1_000_000n })).toBeNull()
    expect(update(dutch, { reward: 999_999n })).toMatchObject(invalid('invalid_price', 'reward'))
    expect(update(dutch, { reward: 999_999n, auctionFloorPrice: 999_999n })).toBeNull()
  })
})

describe('a term of another kind of task', () => {
  test.each<[keyof UpdateArgs, TaskSnapshot]>([
    ['pitchDeadline', english],
    ['bidDeadline', pitch],
    ['auctionFloorPrice', reverseDutch],
    ['auctionFloorPrice', english],
    ['auctionStartPrice', dutch],
    ['auctionStartPrice', aSnapshot({ mode: 'benchmark' })],
  ])('given %s, then it is refused', (field, task) => {
    expect(update(task, { [field]: EXPIRY, textsChange: true })).toMatchObject(invalid('wrong_mode', field))
  })
})

describe('an auction with a bid', () => {
  const bidden = { ...english, bidCount: 1 }

  test('given any change, then it is refused', () => {
    const changes = [{ textsChange: true }, { reward: 6_000_000n }, { expiryTime: EXPIRY + 1n }]
    for (const args of [...changes, { bidDeadline: ENTRIES_END + 1n }]) {
      expect(update(bidden, args)).toMatchObject({ status: 409, failure: 'terms_locked' })
    }
  })

  test('given its offers, then update is none of them', () => {
    const offered = (task: TaskSnapshot) => listPendingActions(task, NOW).some(({ action }) => action === 'update')
    expect([offered(english), offered(bidden)]).toEqual([true, false])
  })
})
