import { describe, expect, test } from 'vitest'
import { emptyState, type WalletState } from '../../../client/src/store/store.ts'
import { beginEntry, fillPath, hashRequest } from '../../../client/src/writes/begin.ts'

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
  if (entry !== undefined) Object.assign(entry, { owner: null, ...fields })
  return state
}

describe('The beginning of a write', () => {
  test('given no key, then it makes one, and equal requests at one time have each their own', () => {
    const state = emptyState()
    const [one, two] = [beginEntry(state, beginning), beginEntry(state, beginning)]
    expect(one.entry.key).not.toBe(two.entry.key)
    expect(Object.keys(state.entries)).toHaveLength(2)
  })

  test('given an equal request that was sent and whose outcome is open, then its key goes on', () => {
    for (const owner of [null, 'dead']) {
      expect(beginEntry(aStateWith({ state: 'sent', owner }), beginning)).toMatchObject({
        entry: { key },
        isResumed: true,
      })
    }
  })

  test('given an equal request that is settled, was never sent or is at work, then a key of its own is made', () => {
    for (const fields of [
      { state: 'completed' },
      { state: 'refused' },
      { state: 'reserved' },
      { state: 'sent', owner: 'other' },
    ] as const) {
      expect(beginEntry(aStateWith(fields), beginning).entry.key).not.toBe(key)
    }
  })

  test('given an owner that ended long ago, and a process with its id, then its key goes on: nothing is paid twice', () => {
    const state = aStateWith({ state: 'sent', owner: 'other' })
    expect(beginEntry(state, { ...beginning, now: 1_000 + 299_000 }).entry.key).not.toBe(key)
    const late = { ...beginning, now: 1_000 + 301_000 }
    expect(beginEntry(state, late)).toMatchObject({ entry: { key }, isResumed: true })
    expect(() => beginEntry(state, { ...late, key })).toThrow(/Another call/)
  })

  test('given a key of another request, a failed one or one at work, then it is refused', () => {
    expect(() => beginEntry(aStateWith({}), { ...beginning, key, requestHash: 'b' })).toThrow(/another write/)
    expect(() => beginEntry(aStateWith({ state: 'failed' }), { ...beginning, key })).toThrow(/has failed/)
    expect(() => beginEntry(aStateWith({ owner: 'other' }), { ...beginning, key })).toThrow(/Another call/)
    expect(() => beginEntry(emptyState(), { ...beginning, key: 'mine' })).toThrow(/UUID/)
  })

  test('given arguments in another order or with absent ones, then the request is the same', async () => {
    const one = await hashRequest('createTask', '/api/tasks', { reward: '1', tags: ['a', 'b'], mode: undefined })
    expect(await hashRequest('createTask', '/api/tasks', { tags: ['a', 'b'], reward: '1' })).toBe(one)
    expect(await hashRequest('createTask', '/api/tasks', { tags: ['b', 'a'], reward: '1' })).not.toBe(one)
  })

  test('given a parameter that could leave its place in the path, then it is refused', () => {
    const id = `0x${'Ab'.repeat(32)}`
    expect(fillPath('/api/tasks/{taskId}/accept', { taskId: id })).toBe(`/api/tasks/${id.toLowerCase()}/accept`)
    for (const taskId of [undefined, '', '0xab', 'constructor', 'TSK-0123456789', '../wallet', 'a/b', 'a?b', '%2e']) {
      expect(() => fillPath('/api/tasks/{taskId}/accept', { taskId })).toThrow(/taskId/)
    }
  })
})
