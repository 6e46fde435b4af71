import { describe, expect, test } from 'vitest'
import { canViewSubmission, canViewTask, submissionScopeOf } from '../../../api/domain/visibility.ts'
import { taskStatuses } from '../../../src/rules/task-status.ts'
import { alice, bob, carol, requester, stranger } from '../../support/task-snapshots.ts'

const facts = { requester, awardedWorkers: [alice], taskVisibility: 'public', status: 'open' } as const
const callers = { requester, winner: alice, submitter: bob, stranger, nobody: null } as const
type Caller = keyof typeof callers

describe('who may see a task', () => {
  test.each<['public' | 'unlisted' | 'private', Caller[]]>([
    ['public', ['requester', 'winner', 'submitter', 'stranger', 'nobody']],
    ['unlisted', ['requester', 'winner', 'submitter', 'stranger', 'nobody']],
    ['private', ['requester', 'winner']],
  ])('a %s one: %j', (taskVisibility, viewers) => {
    for (const [name, caller] of Object.entries(callers) as [Caller, (typeof callers)[Caller]][]) {
      expect(canViewTask({ ...facts, taskVisibility }, caller)).toBe(viewers.includes(name))
    }
  })
})

describe('whose submissions a caller sees', () => {
  const everybody = [alice, bob, carol]
  const seenBy = (mode: 'public' | 'reveal_all' | 'winner_only' | 'never', status: string, caller: Caller) =>
    everybody.filter((worker) =>
      canViewSubmission({ ...facts, submissionVisibility: mode, status }, worker, callers[caller]),
    )

  test.each(taskStatuses)('public ones of a task that is %s: everybody sees all', (status) => {
    for (const caller of Object.keys(callers) as Caller[]) expect(seenBy('public', status, caller)).toEqual(everybody)
  })

  // A cancelled task has not ended in the table of the specification: completed or expired.
  test.each(taskStatuses.filter((status) => status !== 'completed' && status !== 'expired'))(
    'gated ones of a task that is %s: the requester all, a submitter its own, others none',
    (status) => {
      for (const mode of ['reveal_all', 'winner_only', 'never'] as const) {
        expect(seenBy(mode, status, 'requester')).toEqual(everybody)
        expect(seenBy(mode, status, 'submitter')).toEqual([bob])
        expect(seenBy(mode, status, 'stranger')).toEqual([])
        expect(seenBy(mode, status, 'nobody')).toEqual([])
      }
    },
  )

  test.each(['completed', 'expired'])('gated ones of a task that is %s: what the mode reveals', (status) => {
    expect(seenBy('reveal_all', status, 'nobody')).toEqual(everybody)
    expect(seenBy('winner_only', status, 'nobody')).toEqual([alice])
    expect(seenBy('winner_only', status, 'submitter')).toEqual([alice, bob])
    expect(seenBy('never', status, 'nobody')).toEqual([])
    expect(seenBy('never', status, 'submitter')).toEqual([bob])
    expect(seenBy('never', status, 'requester')).toEqual(everybody)
  })

  test('a scope names no worker twice', () => {
    const scope = submissionScopeOf({ ...facts, submissionVisibility: 'winner_only', status: 'completed' }, alice)
    expect(scope).toEqual({ workers: [alice] })
  })
})
