import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ActionArgs, actionRules, findRule } from '../../../../api/domain/actions/action-rules.ts'
import { admit } from '../../../../api/domain/actions/admit.ts'
import type { TaskSnapshot } from '../../../../api/domain/task-snapshot.ts'
import {
  alice,
  anyClaim,
  anyContest,
  anyTime,
  bob,
  carol,
  requester,
  stranger,
} from '../../../support/task-snapshots.ts'

/** Spec, "Private access": viewing is not participating; Interface: any account may refund an expired task. */

const actions = Object.keys(actionRules) as (keyof ActionArgs)[]
const anyTask = fc.oneof(anyContest, anyClaim)

/** Arguments that every rule accepts. */
function argsFor(worker: TaskSnapshot['requester']) {
  return {
    worker,
    winners: [{ worker, shareBps: 10_000 }],
    textsChange: true,
  } as unknown as ActionArgs[keyof ActionArgs]
}

function asked(action: keyof ActionArgs, task: TaskSnapshot, actor: TaskSnapshot['requester'] | null, now: bigint) {
  return admit(action, task, { actor, now, args: argsFor(actor ?? alice) as never })
}

function isForAnyAccount(action: keyof ActionArgs, task: TaskSnapshot): boolean {
  return (
    findRule(action, task)
      ?.eligible(task)
      .some(({ role }) => role === 'anyone') ?? false
  )
}

describe('a private task', () => {
  const secret = (task: TaskSnapshot, facts: Partial<TaskSnapshot> = {}): TaskSnapshot => ({
    ...task,
    taskVisibility: 'private',
    ...facts,
  })

  test('given a wallet that must not see it, then every action is unknown, but for the exits of any account', () => {
    fc.assert(
      fc.property(anyTask, anyTime, fc.constantFrom(...actions), (task, now, action) => {
        const refusal = asked(action, secret(task), stranger, now)
        if (isForAnyAccount(action, task)) expect(refusal).toEqual(asked(action, task, stranger, now))
        else expect(refusal).toMatchObject({ status: 404, failure: 'task_not_found' })
      }),
    )
  })

  test('given a caller who may see it, then it has the rules of a public one', () => {
    const insiders = { participants: [alice], viewers: [bob] }
    fc.assert(
      fc.property(
        anyTask,
        anyTime,
        fc.constantFrom(...actions),
        fc.constantFrom(requester, alice, bob),
        (task, now, action, actor) => {
          expect(asked(action, secret(task, insiders), actor, now)).toEqual(asked(action, task, actor, now))
        },
      ),
    )
  })

  test('given an anonymous caller, then it has the rules of a public one, except those about its texts', () => {
    fc.assert(
      fc.property(anyTask, anyTime, fc.constantFrom(...actions), (task, now, action) => {
        expect(asked(action, secret(task), null, now)).toEqual(asked(action, task, null, now))
      }),
    )
    const open = { ...fc.sample(anyContest, 1)[0], status: 'open' } as TaskSnapshot
    const request = { actor: null, now: 1n, args: { textsChange: false } }
    expect(admit('update', { ...open, taskVisibility: 'public' }, request)).toMatchObject({
      failure: 'nothing_to_update',
    })
    expect(admit('update', secret(open), request)).toBeNull()
  })

  test('given its evaluator and resolver, then they see it: their refusals have a reason', () => {
    fc.assert(
      fc.property(anyTask, anyTime, fc.constantFrom(...actions), (task, now, action) => {
        const evaluated = secret(task, { evaluator: carol })
        expect(asked(action, evaluated, carol, now)?.status).not.toBe(404)
      }),
    )
  })
})
