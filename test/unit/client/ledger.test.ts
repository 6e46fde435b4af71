import { describe, expect, test } from 'vitest'
import {
  assignTask,
  countedToday,
  countWrite,
  listEnded,
  prune,
  unattendedToday,
  uncountWrite,
} from '../../../client/src/store/ledger.ts'
import {
  defaultAskAbove,
  defaultLimits,
  lowerLimits,
  readAskAbove,
  readLimits,
} from '../../../client/src/store/limits.ts'
import { emptyState, type JournalEntry, type WalletState } from '../../../client/src/store/store.ts'

const NOW = 1_800_000_000_000
const DAY = 86_400_000
const limits = { perCall: 100n, perDay: 250n, perTask: 150n }

function anEntry(state: WalletState, fields: Partial<JournalEntry> = {}): JournalEntry {
  const key = fields.key ?? `key ${Object.keys(state.entries).length}`
  const entry: JournalEntry = {
    key,
    operation: 'createTask',
    path: '/api/tasks',
    requestHash: 'hash',
    taskId: null,
    createdAt: NOW,
    updatedAt: NOW,
    state: 'reserved',
    runs: {},
    counted: '0',
    payment: null,
    unansweredUntil: null,
    txHash: null,
    ...fields,
  }
  state.entries[key] = entry
  return entry
}

describe('The limits of a wallet', () => {
  test('given an amount at and above the limit per call, then only the latter is refused', () => {
    const state = emptyState()
    expect(countWrite(state, anEntry(state), { amount: 100n, limits, now: NOW })).toBeNull()
    expect(countWrite(state, anEntry(state), { amount: 101n, limits, now: NOW })).toMatch(
      /limit per call is 0\.0001 USDC/,
    )
  })

  test.each([
    { usdc: 2_000_000n, hint: ' If base units were meant: 2000000 base units are 2 USDC.' },
    { usdc: 6_000_000n, hint: '' },
    { usdc: 999n, hint: '' },
  ])(
    'given $usdc USDC, then the refusal says what they are as base units where those are within it',
    ({ usdc, hint }) => {
      const state = emptyState()
      const amount = usdc * 1_000_000n
      const refusal = countWrite(state, anEntry(state), { amount, limits: defaultLimits, now: NOW })
      expect(refusal).toBe(`This write decides ${usdc} USDC; the limit per call is 5 USDC.${hint}`)
    },
  )

  test('given writes of one day, then their sum is limited, and yesterday’s count no more', () => {
    const state = emptyState()
    for (const _ of [1, 2]) expect(countWrite(state, anEntry(state), { amount: 100n, limits, now: NOW })).toBeNull()
    expect(countWrite(state, anEntry(state), { amount: 51n, limits, now: NOW })).toMatch(
      /24 hours would decide 0\.000251 USDC/,
    )
    expect(countWrite(state, anEntry(state), { amount: 50n, limits, now: NOW })).toBeNull()
    const tomorrow = NOW + DAY + 1
    const late = anEntry(state, { createdAt: tomorrow, updatedAt: tomorrow })
    expect(countWrite(state, late, { amount: 100n, limits, now: tomorrow })).toBeNull()
  })

  test('given writes about one task, then they are limited for ever, its creation included', () => {
    const state = emptyState()
    const creation = anEntry(state)
    expect(countWrite(state, creation, { amount: 90n, limits, now: NOW })).toBeNull()
    assignTask(state, creation, '0x11')
    const later = NOW + 40 * DAY
    const acceptance = anEntry(state, { taskId: '0x11', createdAt: later, updatedAt: later })
    expect(countWrite(state, acceptance, { amount: 61n, limits, now: later })).toMatch(/decide 0\.000151 USDC/)
    expect(countWrite(state, acceptance, { amount: 60n, limits, now: later })).toBeNull()
  })

  test('given a write counted again with its price, then only the difference is added', () => {
    const state = emptyState()
    const entry = anEntry(state, { taskId: '0x11' })
    countWrite(state, entry, { amount: 60n, limits, now: NOW })
    countWrite(state, entry, { amount: 61n, limits, now: NOW })
    expect([entry.counted, state.tasks['0x11']?.counted]).toEqual(['61', '61'])
    uncountWrite(state, entry)
    expect([entry.counted, state.tasks['0x11']?.counted]).toEqual(['0', '0'])
  })

  test('given a refused write whose authorization can still be used, then it counts until that ends', () => {
    const state = emptyState()
    const payment = { nonce: '0x' as const, value: '70', validBefore: NOW / 1000 + 300 }
    const entry = anEntry(state, { state: 'refused', counted: '70', payment })
    const ended = (now: number) => listEnded(state, { now, isAtWork: () => false })
    expect(ended(NOW)).toEqual([])
    expect(ended(NOW + 301_000)).toEqual([entry])
  })

  test('given a write that was counted and never sent, then it ends with its process', () => {
    const state = emptyState()
    const entry = anEntry(state, { state: 'reserved', counted: '70' })
    expect(listEnded(state, { now: NOW, isAtWork: () => true })).toEqual([])
    expect(listEnded(state, { now: NOW, isAtWork: () => false })).toEqual([entry])
    Object.assign(entry, { state: 'sent' })
    expect(listEnded(state, { now: NOW, isAtWork: () => false })).toEqual([])
  })

  test('given settled writes of days ago, then those are kept that the next write takes out of the count', () => {
    const state = emptyState()
    const old = { createdAt: NOW - 3 * DAY, updatedAt: NOW - 3 * DAY }
    anEntry(state, { key: 'counted', state: 'refused', counted: '70', ...old })
    anEntry(state, { key: 'open', state: 'sent', counted: '70', ...old })
    for (const outcome of ['refused', 'failed', 'reserved'] as const)
      anEntry(state, { key: outcome, state: outcome, ...old })
    anEntry(state, { key: 'completed', state: 'completed', counted: '70', ...old })
    prune(state, NOW)
    expect(Object.keys(state.entries)).toEqual(['counted', 'open'])
    prune(state, NOW + 40 * DAY)
    expect(Object.keys(state.entries)).toEqual(['open'])
  })

  test('given open writes of another day that are sent again, then they count for this one too', () => {
    const state = emptyState()
    const old = anEntry(state, { state: 'sent', counted: '100', updatedAt: NOW - 2 * DAY, createdAt: NOW - 2 * DAY })
    for (const _ of [1, 2]) expect(countWrite(state, anEntry(state), { amount: 100n, limits, now: NOW })).toBeNull()
    // The beginning of a run notes its time.
    old.updatedAt = NOW
    expect(countWrite(state, old, { amount: 100n, limits, now: NOW })).toMatch(/24 hours would decide 0\.0003 USDC/)
  })

  test('given writes that no person decided, then they have a limit of their own, and those of a person none of it', () => {
    const state = emptyState()
    const bounds = { limits, unattendedLimit: 60n, now: NOW }
    expect(countWrite(state, anEntry(state), { amount: 90n, limits, unattendedLimit: null, now: NOW })).toBeNull()
    expect(countWrite(state, anEntry(state, { isUnattended: true }), { amount: 60n, ...bounds })).toBeNull()
    const next = anEntry(state, { isUnattended: true })
    expect(countWrite(state, next, { amount: 1n, ...bounds })).toMatch(/Without a person/)
    expect([unattendedToday(state, NOW), countedToday(state, NOW)]).toEqual([60n, 150n])
    expect(unattendedToday(state, NOW + DAY + 1)).toBe(0n)
  })

  test('given arguments, then they lower the configured limits and never raise them', () => {
    const lowered = lowerLimits(limits, { perCall: 7n, perDay: 10_000n }, { perTask: 150n })
    expect(lowered).toEqual({ perCall: 7n, perDay: 250n, perTask: 150n })
  })

  test('given an argument that cannot be compared, then it is refused and not passed over', () => {
    for (const wrong of [Number.NaN, 1.5, '1.5', null]) {
      expect(() => lowerLimits(limits, { perCall: wrong as never })).toThrow(/bigint/)
    }
  })

  test('given a configuration, then it is read exactly or not at all', () => {
    expect(readLimits(undefined)).toEqual(defaultLimits)
    expect(readLimits({ perCall: '7' })).toEqual({ ...defaultLimits, perCall: 7n })
    expect([readAskAbove(undefined), readAskAbove('0')]).toEqual([defaultAskAbove, 0n])
    for (const wrong of [null, 7, '-1', '1.5']) expect(() => readAskAbove(wrong)).toThrow(/configuration/)
    for (const wrong of [null, 7, { perCall: 7 }, { perDay: '-1' }, { perTask: '1.5' }, { perCall: null }]) {
      expect(() => readLimits(wrong)).toThrow(/configuration/)
    }
  })
})
