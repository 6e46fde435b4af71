import { describe, expect, test } from 'vitest'
import { emptyState, type WalletState } from '../../../client/src/store/store.ts'
import { beginEntry, fillPath } from '../../../client/src/writes/begin.ts'
import { hashRequest } from '../../../client/src/writes/hash-request.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'

const key = '3f9a4c8e-1d2b-4c6a-9e8f-0a1b2c3d4e5f'
const beginning = {
  name: 'createTask' as const,
  path: '/api/tasks',
  requestHash: 'a',
  taskId: null,
  owner: 'me',
  isAlive: (owner: string) => owner !== 'dead',
  now: 1_000,
}

/** A state with one write, left as it says. */
function aStateWith(fields: Partial<WalletState['entries'][string]>): WalletState {
  const state = emptyState()
  beginEntry(state, { ...beginning, key })
  const entry = state.entries[key]
  if (entry !== undefined) Object.assign(entry, { runs: {}, ...fields })
  return state
}

const aRun = (owner: string) => ({ run: { owner, workUntil: 301_000, unansweredUntil: 900 } })

describe('The beginning of a write', () => {
  test('given no key, then it makes one, and an equal request at one time joins it', () => {
    const state = emptyState()
    const [one, two] = [beginEntry(state, beginning), beginEntry(state, beginning)]
    expect(one).toMatchObject({ isJoined: false, isResumed: false })
    expect(two).toMatchObject({ isJoined: true, entry: { key: one.entry.key } })
    expect(two.runId).not.toBe(one.runId)
    expect(Object.keys(state.entries)).toHaveLength(1)
  })

  test.each([
    ['no call', {}],
    ['a call of this machine', aRun('other')],
    ['a call of another machine', aRun('pod-1:7:9f1c2b3a-88123:3f9a4c8e')],
    ['a call of a process that has ended', aRun('dead')],
  ])('given an equal request that was sent, with %s at work, then its key goes on', (_, runs) => {
    expect(beginEntry(aStateWith({ state: 'sent', runs }), beginning)).toMatchObject({
      entry: { key },
      isResumed: true,
      isJoined: true,
    })
  })

  test('given an equal request that is settled, one asked for again or another key, then it is a write of its own', () => {
    for (const state of ['completed', 'refused', 'failed'] as const) {
      expect(beginEntry(aStateWith({ state }), beginning)).toMatchObject({ isJoined: false, isResumed: false })
    }
    const second = beginEntry(aStateWith({ state: 'sent' }), { ...beginning, again: true })
    const other = beginEntry(aStateWith({ state: 'sent' }), { ...beginning, key: crypto.randomUUID() })
    expect([second, other].map(({ entry, isJoined }) => [entry.key === key, isJoined])).toEqual([
      [false, false],
      [false, false],
    ])
  })

  test('given several equal requests that are open, then the one that was sent goes on', () => {
    const state = aStateWith({})
    const sent = beginEntry(state, { ...beginning, again: true }).entry.key
    Object.assign(state.entries[sent] ?? {}, { state: 'sent' })
    expect(beginEntry(state, beginning).entry.key).toBe(sent)
  })

  test('given a call of a model that joins one which has counted nothing, then what it counts is held to its own limit', () => {
    const unattended = { ...beginning, isUnattended: true }
    expect(beginEntry(aStateWith({}), unattended).entry.isUnattended).toBe(true)
    expect(beginEntry(aStateWith({ counted: '5', state: 'sent' }), unattended).entry.isUnattended).toBeUndefined()
    const state = aStateWith({ isUnattended: true })
    expect(beginEntry(state, beginning).entry.isUnattended).toBeUndefined()
  })

  test('given a call that has ended without a word, then what it sent is awaited, and one at work waits for itself', () => {
    const ended = beginEntry(aStateWith({ state: 'sent', runs: aRun('dead') }), beginning).entry
    expect([ended.unansweredUntil, Object.keys(ended.runs).length]).toEqual([900, 1])
    const late = beginEntry(aStateWith({ state: 'sent', runs: aRun('other') }), { ...beginning, now: 302_000 }).entry
    expect([late.unansweredUntil, Object.keys(late.runs).length]).toEqual([900, 1])
    const shared = beginEntry(aStateWith({ state: 'sent', runs: aRun('other') }), beginning).entry
    expect([shared.unansweredUntil, Object.keys(shared.runs).length]).toEqual([null, 2])
  })

  test('given a key of another request or a failed one, then it is refused; one at work is joined', () => {
    expect(() => beginEntry(aStateWith({}), { ...beginning, key, requestHash: 'b' })).toThrow(/another write/)
    expect(() => beginEntry(aStateWith({ state: 'failed' }), { ...beginning, key })).toThrow(/has failed/)
    expect(() => beginEntry(emptyState(), { ...beginning, key: 'mine' })).toThrow(/UUID/)
    expect(beginEntry(aStateWith({ runs: aRun('other') }), { ...beginning, key })).toMatchObject({ isJoined: true })
  })

  test.each<[string, object, boolean]>([
    ['with its fields in another order', { reward: '5', description: 'Haiku', tags: ['a'], duration: 24 }, true],
    ['with a field that has no value', { metricTarget: undefined }, true],
    ['with its default written out', { mode: 'bounty' }, true],
    ['with the evaluator in another case', { evaluator: `0x${'Bc'.repeat(20)}` }, true],
    ['with a leading zero', { reward: '05' }, true],
    ['with a salt of its own', { documentSalt: `0x${'5a'.repeat(32)}` }, false],
    ['with another text', { description: 'haiku' }, false],
    ['with another reward', { reward: '6' }, false],
    ['of another mode', { mode: 'benchmark' }, false],
  ])('given the same creation %s, then it is an equal one: %s', async (_, changes, isEqual) => {
    const plain = { description: 'Haiku', reward: '5', duration: 24, tags: ['a'], evaluator: `0x${'bc'.repeat(20)}` }
    const hashOf = (input: object) =>
      hashRequest('createTask', '/api/tasks', { input, account: devAccount('alice').account })
    const hash = await hashOf({ ...plain, ...changes })
    expect(hash === (await hashOf(plain))).toBe(isEqual)
  })

  test('given a claim of a task in another case, then it is an equal one; of another account it is not', async () => {
    const [path, id] = ['/api/tasks/x/claim', `0x${'ab'.repeat(32)}`]
    const [alice, bob] = [devAccount('alice').account, devAccount('bob').account]
    const hash = await hashRequest('createClaim', path, { input: { taskId: id }, account: alice })
    const upper = { taskId: `0x${'AB'.repeat(32)}` }
    expect(await hashRequest('createClaim', path, { input: upper, account: alice })).toBe(hash)
    expect(await hashRequest('createClaim', path, { input: upper, account: bob })).not.toBe(hash)
  })

  test('given a withdrawal with its amount and address in other forms, then it is an equal one', async () => {
    const hashOf = (input: object) =>
      hashRequest('withdraw', '/api/wallet/withdraw', { input, account: devAccount('alice').account })
    const hash = await hashOf({ amountBaseUnits: '5000', to: `0x${'ab'.repeat(20)}` })
    expect(await hashOf({ amountBaseUnits: '05000', to: `0x${'AB'.repeat(20)}` })).toBe(hash)
    expect(await hashOf({ amountBaseUnits: '5001', to: `0x${'ab'.repeat(20)}` })).not.toBe(hash)
  })

  test('given a parameter that could leave its place in the path, then it is refused', () => {
    const id = `0x${'Ab'.repeat(32)}`
    expect(fillPath('/api/tasks/{taskId}/accept', { taskId: id })).toBe(`/api/tasks/${id.toLowerCase()}/accept`)
    for (const taskId of [undefined, '', '0xab', 'constructor', 'TSK-0123456789', '../wallet', 'a/b', 'a?b', '%2e']) {
      expect(() => fillPath('/api/tasks/{taskId}/accept', { taskId })).toThrow(/taskId/)
    }
  })
})
