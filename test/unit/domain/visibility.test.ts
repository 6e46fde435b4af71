import type { Address } from 'viem'
import { describe, expect, test } from 'vitest'
import type { RowAccessFacts } from '../../../api/domain/access/access-facts.ts'
import { resourcePolicies } from '../../../api/domain/access/access-table.ts'
import { withoutHiddenWorkers } from '../../../api/domain/hidden-workers.ts'
import {
  canActOnTask,
  canViewTask,
  isInScope,
  isShownInRecord,
  listOpenVisibilities,
  scopeOf,
} from '../../../api/domain/visibility.ts'
import { taskStatuses } from '../../../protocol/rules/task-status.ts'
import { alice, aSnapshot, bob, carol, requester, stranger } from '../../support/task-snapshots.ts'

const [evaluator, resolver, invited] = ['0xe1', '0xd2', '0x11'].map((start) => start.padEnd(42, '0') as `0x${string}`)
if (!evaluator || !resolver || !invited) throw new Error('three wallets')

/** Alice was awarded; bob only submitted. */
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
  anonymous: null,
} as const
type Caller = keyof typeof callers
const everyCaller = Object.keys(callers) as Caller[]
const noGrant = (address: (typeof callers)[Caller]) => ({ address, holdsGrant: false })

describe('visibility of a task', () => {
  test.each<['public' | 'unlisted' | 'private', Caller[]]>([
    ['public', everyCaller],
    ['unlisted', everyCaller],
    ['private', ['requester', 'evaluator', 'resolver', 'winner', 'invited']],
  ])('given a %s one, then these see it: %j', (taskVisibility, viewers) => {
    for (const name of everyCaller) {
      expect(canViewTask({ ...facts, taskVisibility }, callers[name])).toBe(viewers.includes(name))
    }
  })

  test('given a grant, then its holder sees a private one, and may not do more', () => {
    const task = { ...facts, taskVisibility: 'private' } as const
    for (const name of everyCaller) {
      const address = callers[name]
      expect(canViewTask(task, address, true)).toBe(true)
      if (address !== null) expect(canActOnTask(task, address)).toBe(canViewTask(task, address))
    }
    expect(canActOnTask(task, stranger)).toBe(false)
  })

  test('given a private task without judges, then no anonymous caller is taken for one', () => {
    const task = { ...facts, taskVisibility: 'private', evaluator: null, disputeResolver: null } as const
    expect(canViewTask(task, null)).toBe(false)
  })

  test.each<['public' | 'unlisted' | 'private', Caller[]]>([
    ['public', everyCaller],
    ['unlisted', ['requester', 'evaluator', 'resolver', 'winner']],
    ['private', ['requester', 'evaluator', 'resolver', 'winner', 'invited']],
  ])('given a %s one, then these find it in the record of its winner: %j', (taskVisibility, finders) => {
    const task = { ...facts, taskVisibility }
    const found = (worker: Address) =>
      everyCaller.filter((name) => isShownInRecord('submissions', task, { worker, viewer: noGrant(callers[name]) }))
    expect(found(alice)).toEqual(everyCaller.filter((name) => finders.includes(name)))
    const sealed = { ...task, submissionVisibility: 'never' } as const
    const viewer = noGrant(invited)
    expect(isShownInRecord('submissions', sealed, { worker: alice, viewer })).toBe(false)
  })

  test('given a private task, then a stranger sees nothing of any kind, and an invited wallet something of every kind', () => {
    const task = { ...facts, taskVisibility: 'private' } as const
    for (const resource of Object.keys(resourcePolicies) as (keyof typeof resourcePolicies)[]) {
      expect(scopeOf(resource, task, noGrant(stranger))).toBeNull()
      expect(scopeOf(resource, task, noGrant(invited))).not.toBeNull()
    }
  })
})

describe('visibility of submissions', () => {
  test('given a stage, then a list of all callers’ submissions has the modes that are open then', () => {
    expect(listOpenVisibilities('active')).toEqual(['public'])
    expect(listOpenVisibilities('ended')).toEqual(['public', 'reveal_all'])
  })

  const allSubmitters = [alice, bob, carol]
  const submissionsFor = (state: Partial<RowAccessFacts>, address: Address | null) =>
    scopeOf('submissions', { ...facts, taskVisibility: 'public', ...state }, { address, holdsGrant: false })
  const seenBy = (
    mode: RowAccessFacts['submissionVisibility'],
    state: Pick<RowAccessFacts, 'status' | 'verdict'>,
    caller: Caller,
  ) =>
    allSubmitters.filter((worker) => {
      const scope = submissionsFor({ submissionVisibility: mode, ...state }, callers[caller])
      return scope !== null && isInScope(scope, worker)
    })
  const all = ['requester', 'evaluator', 'resolver'] as const

  test.each(taskStatuses)('given public ones of a task that is %s, then every caller sees all', (status) => {
    for (const caller of everyCaller) expect(seenBy('public', { status, verdict: null }, caller)).toEqual(allSubmitters)
  })

  const active = taskStatuses
    .filter((status) => status !== 'completed' && status !== 'expired')
    .map((status) => ({ status, verdict: status === 'appealing' ? ('reject' as const) : null }))
  // A cancelled task has not ended in the table of the specification: completed or expired.
  test.each(active)(
    'given a limited mode and a task that is $status, then evaluator and resolver see all, a submitter its own, others none',
    (state) => {
      for (const mode of ['reveal_all', 'winner_only', 'never'] as const) {
        for (const wallet of all) expect(seenBy(mode, state, wallet)).toEqual(allSubmitters)
        expect(seenBy(mode, state, 'submitter')).toEqual([bob])
        expect(submissionsFor({ submissionVisibility: mode, ...state }, null)).toEqual({ workers: [] })
        for (const other of ['invited', 'stranger', 'anonymous'] as const)
          expect(seenBy(mode, state, other)).toEqual([])
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
  test.each(ended)('given a limited mode and a task that is $status after $verdict, then the mode decides', (state) => {
    expect(seenBy('reveal_all', state, 'anonymous')).toEqual(allSubmitters)
    expect(seenBy('winner_only', state, 'anonymous')).toEqual([alice])
    expect(seenBy('winner_only', state, 'submitter')).toEqual([alice, bob])
    expect(seenBy('never', state, 'anonymous')).toEqual([])
    expect(seenBy('never', state, 'submitter')).toEqual([bob])
    for (const wallet of all) expect(seenBy('never', state, wallet)).toEqual(allSubmitters)
  })

  test('given a task of one submission, then its worker is told to who sees the submission alone', () => {
    const task = aSnapshot({ soleActiveWorker: alice })
    for (const scope of [{}, { workers: [alice] }]) expect(withoutHiddenWorkers(task, scope)).toEqual(task)
    for (const scope of [null, { workers: [bob] }]) {
      expect(withoutHiddenWorkers(task, scope)).toEqual({ ...task, soleActiveWorker: null })
    }
  })

  test('given overlapping reasons, then a scope names no worker twice', () => {
    const scope = submissionsFor({ submissionVisibility: 'winner_only', status: 'completed' }, alice)
    expect(scope).toEqual({ workers: [alice] })
  })
})
