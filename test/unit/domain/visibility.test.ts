import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import type { RowAccessFacts } from '../../../api/domain/access/access-facts.ts'
import { thingGates } from '../../../api/domain/access/access-table.ts'
import { canActOnTask, canViewTask, isInScope, scopeOf } from '../../../api/domain/visibility.ts'
import { taskStatuses } from '../../../src/rules/task-status.ts'
import { alice, bob, carol, requester, stranger } from '../../support/task-snapshots.ts'

const [evaluator, resolver, invited] = ['0xe1', '0xd2', '0x11'].map((start) => start.padEnd(42, '0') as `0x${string}`)
if (!evaluator || !resolver || !invited) throw new Error('three wallets')

/** Alice was awarded; bob submitted, and nothing more. */
const facts: RowAccessFacts = {
  requester,
  evaluator,
  disputeResolver: resolver,
  taskVisibility: 'public',
  submissionVisibility: 'public',
  status: 'open',
  verdict: null,
  participants: [alice],
  viewers: [invited],
  awardedWorkers: [alice],
}
const callers = {
  requester,
  evaluator,
  resolver,
  winner: alice,
  submitter: bob,
  invited,
  stranger,
  nobody: null,
} as const
type Caller = keyof typeof callers
const everyCaller = Object.keys(callers) as Caller[]
const noGrant = (address: (typeof callers)[Caller]) => ({ address, holdsGrant: false })

describe('who may see a task', () => {
  test.each<['public' | 'unlisted' | 'private', Caller[]]>([
    ['public', everyCaller],
    ['unlisted', everyCaller],
    ['private', ['requester', 'evaluator', 'resolver', 'winner', 'invited']],
  ])('a %s one: %j', (taskVisibility, viewers) => {
    for (const name of everyCaller) {
      expect(canViewTask({ ...facts, taskVisibility }, callers[name])).toBe(viewers.includes(name))
    }
  })

  test('whoever holds a grant sees a private one, and acts on it no more than without', () => {
    const task = { ...facts, taskVisibility: 'private' } as const
    for (const name of everyCaller) {
      const address = callers[name]
      expect(canViewTask(task, address, true)).toBe(true)
      if (address !== null) expect(canActOnTask(task, address)).toBe(canViewTask(task, address))
    }
    expect(canActOnTask(task, stranger)).toBe(false)
  })

  test('a private task shows nothing of any kind to a stranger, and something of every kind to the invited', () => {
    const task = { ...facts, taskVisibility: 'private' } as const
    for (const thing of Object.keys(thingGates) as (keyof typeof thingGates)[]) {
      expect(scopeOf(thing, task, noGrant(stranger))).toBeNull()
      expect(scopeOf(thing, task, noGrant(invited))).not.toBeNull()
    }
  })
})

describe('whose submissions a caller sees', () => {
  const everybody = [alice, bob, carol]
  const submissionsFor = (state: Partial<RowAccessFacts>, address: Address | null) =>
    scopeOf('submissions', { ...facts, taskVisibility: 'public', ...state }, { address, holdsGrant: false })
  const seenBy = (
    mode: RowAccessFacts['submissionVisibility'],
    state: Pick<RowAccessFacts, 'status' | 'verdict'>,
    caller: Caller,
  ) =>
    everybody.filter((worker) => {
      const scope = submissionsFor({ submissionVisibility: mode, ...state }, callers[caller])
      return scope !== null && isInScope(scope, worker)
    })
  const all = ['requester', 'evaluator', 'resolver'] as const

  test.each(taskStatuses)('public ones of a task that is %s: everybody sees all', (status) => {
    for (const caller of everyCaller) expect(seenBy('public', { status, verdict: null }, caller)).toEqual(everybody)
  })

  const active = taskStatuses
    .filter((status) => status !== 'completed' && status !== 'expired')
    .map((status) => ({ status, verdict: status === 'appealing' ? ('reject' as const) : null }))
  // A cancelled task has not ended in the table of the specification: completed or expired.
  test.each(active)(
    'gated ones of a task that is $status: its judges all, a submitter its own, others none',
    (state) => {
      for (const mode of ['reveal_all', 'winner_only', 'never'] as const) {
        for (const judge of all) expect(seenBy(mode, state, judge)).toEqual(everybody)
        expect(seenBy(mode, state, 'submitter')).toEqual([bob])
        for (const other of ['invited', 'stranger', 'nobody'] as const) expect(seenBy(mode, state, other)).toEqual([])
      }
    },
  )

  const ended = [
    { status: 'completed', verdict: null },
    { status: 'completed', verdict: 'partial' },
    { status: 'expired', verdict: null },
    // Interface, "Evaluator flow": cancelled by a REJECT verdict counts as ended.
    { status: 'cancelled', verdict: 'reject' },
  ] as const
  test.each(ended)('gated ones of a task that is $status after $verdict: what the mode reveals', (state) => {
    expect(seenBy('reveal_all', state, 'nobody')).toEqual(everybody)
    expect(seenBy('winner_only', state, 'nobody')).toEqual([alice])
    expect(seenBy('winner_only', state, 'submitter')).toEqual([alice, bob])
    expect(seenBy('never', state, 'nobody')).toEqual([])
    expect(seenBy('never', state, 'submitter')).toEqual([bob])
    for (const judge of all) expect(seenBy('never', state, judge)).toEqual(everybody)
  })

  test('a scope names no worker twice', () => {
    const scope = submissionsFor({ submissionVisibility: 'winner_only', status: 'completed' }, alice)
    expect(scope).toEqual({ workers: [alice] })
  })
})
