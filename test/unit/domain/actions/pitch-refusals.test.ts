import { describe, expect, test } from 'vitest'
import { admit } from '../../../../api/domain/actions/admit.ts'
import type { SelectWorkerArgs } from '../../../../api/domain/actions/select-worker.ts'
import { listPendingActions } from '../../../../api/domain/pending-actions.ts'
import type { TaskSnapshot } from '../../../../api/domain/task-snapshot.ts'
import {
  alice,
  aPitchTask,
  aSnapshot,
  bob,
  carol,
  EXPIRY,
  PITCH_DEADLINE,
  pitchId,
  requester,
  stranger,
  taskId,
} from '../../../support/task-snapshots.ts'

const offered = (task: TaskSnapshot, now: bigint) => listPendingActions(task, now)
const commandsOf = (task: TaskSnapshot, now: bigint) => offered(task, now).map(({ command }) => command)

describe('pitch', () => {
  const open = aPitchTask('open', [alice])
  const pitch = (task: TaskSnapshot, now: bigint, actor: `0x${string}` | null = null, worker = bob) =>
    admit('pitch', task, { actor, now, args: { worker } })

  test('given any worker who pays, then it is admitted, repeatedly too', () => {
    expect(pitch(open, PITCH_DEADLINE - 1n)).toBeNull()
    for (const worker of [alice, bob, requester]) expect(pitch(open, PITCH_DEADLINE - 1n, worker, worker)).toBeNull()
    expect(pitch(open, PITCH_DEADLINE - 1n, stranger)).toMatchObject({
      status: 403,
      failure: 'payer_mismatch',
      payerMismatch: true,
    })
  })

  test('given the pitch deadline or the expiry, then it is refused from the earlier of them on', () => {
    const refused = { status: 409, failure: 'deadline_passed' }
    expect(pitch(open, PITCH_DEADLINE)).toMatchObject(refused)
    const untilExpiry = { ...open, pitchDeadline: EXPIRY }
    expect(pitch(untilExpiry, EXPIRY - 1n)).toBeNull()
    expect(pitch(untilExpiry, EXPIRY)).toMatchObject(refused)
    const broughtForward = { ...open, pitchDeadline: EXPIRY + 10n }
    expect(pitch(broughtForward, EXPIRY)).toMatchObject(refused)
  })

  test('given a selection, a pause, or the evaluator as worker, then it is refused', () => {
    const now = PITCH_DEADLINE - 1n
    expect(pitch(aPitchTask('worker_selected', [alice]), now)).toMatchObject({ failure: 'wrong_state' })
    expect(pitch({ ...open, entriesPaused: true }, now)).toMatchObject({ status: 409, failure: 'market_paused' })
    for (const evaluated of [{ evaluator: bob }, { disputeResolver: bob }]) {
      expect(pitch({ ...open, ...evaluated }, now)).toMatchObject({ status: 403, failure: 'judge_cannot_enter' })
    }
    expect(pitch(aSnapshot(), now)).toMatchObject({ status: 409, failure: 'wrong_mode' })
  })

  test('given an open task, then it is offered to any worker for the fee, with its command', () => {
    expect(offered(aPitchTask('open', []), PITCH_DEADLINE - 1n)).toContainEqual({
      role: 'worker',
      action: 'pitch',
      command: `task pitch ${taskId} --text <text>`,
      eligibleAddress: null,
      requiresPayment: true,
      paymentAmount: 1000n,
      availableAfter: null,
      availableUntil: PITCH_DEADLINE,
      targetWorker: null,
    })
  })
})

describe('select_worker', () => {
  const open = aPitchTask('open', [alice, bob])
  const of = (worker: `0x${string}`) => ({ id: pitchId, taskId, worker })
  const select = (args: SelectWorkerArgs, { task = open, now = PITCH_DEADLINE, actor = requester } = {}) =>
    admit('select_worker', task, { actor, now, args })

  test('given any worker who pitched, then the requester may, before and after the pitch deadline, until the expiry', () => {
    for (const now of [PITCH_DEADLINE - 1n, PITCH_DEADLINE, EXPIRY - 1n]) {
      expect(select({ worker: bob }, { now })).toBeNull()
      expect(select({ worker: bob, pitch: of(bob) }, { now })).toBeNull()
    }
    expect(select({ worker: bob }, { now: EXPIRY })).toMatchObject({ status: 409, failure: 'deadline_passed' })
    expect(select({ worker: bob }, { actor: bob })).toMatchObject({ status: 403, failure: 'not_requester' })
  })

  test('given a worker without a pitch, then it is refused', () => {
    expect(select({ worker: carol })).toMatchObject({ status: 409, failure: 'no_pitch', field: 'workerAddress' })
    const withoutPitches = aPitchTask('open', [])
    expect(select({ worker: alice }, { task: withoutPitches })).toMatchObject({ status: 409, failure: 'no_pitch' })
    expect(offered(withoutPitches, PITCH_DEADLINE).map(({ action }) => action)).not.toContain('select_worker')
  })

  test('given a pitch id, then it must be one of that worker for that task', () => {
    const others = [null, of(alice), { ...of(bob), taskId: `0x${'99'.repeat(32)}` as const }]
    for (const pitch of others) {
      expect(select({ worker: bob, pitch })).toMatchObject({ status: 409, failure: 'unknown_pitch', field: 'pitchId' })
    }
  })

  test('given a selection, then it is refused; given a pause, then admitted', () => {
    expect(select({ worker: bob }, { task: aPitchTask('worker_selected', [bob]) })).toMatchObject({
      status: 409,
      failure: 'wrong_state',
    })
    expect(select({ worker: bob }, { task: { ...open, entriesPaused: true } })).toBeNull()
  })

  test('given a single worker with a single pitch, then the offer names them', () => {
    const command = (task: TaskSnapshot) =>
      commandsOf(task, PITCH_DEADLINE).find((text) => text.startsWith('task select-worker'))
    const named = (pitch: string, worker: string) => `task select-worker ${taskId} --pitch ${pitch} --worker ${worker}`
    expect(command(aPitchTask('open', [alice]))).toBe(named(pitchId, alice))
    expect(command({ ...open, solePitch: { worker: alice, id: null } })).toBe(named('<pitchId>', alice))
    expect(command(open)).toBe(named('<pitchId>', '<worker>'))
  })
})

describe('a task of pitch mode', () => {
  const actionsIn = (task: TaskSnapshot, now: bigint) => offered(task, now).map(({ action }) => action)

  test('given a selected worker, then that worker delivers', () => {
    const selected = aPitchTask('worker_selected', [alice, bob])
    const submit = (worker: `0x${string}`) =>
      admit('submit', selected, { actor: worker, now: EXPIRY - 1n, args: { worker } })
    expect(submit(alice)).toBeNull()
    expect(submit(bob)).toMatchObject({ status: 403, failure: 'not_worker' })
    expect(offered(selected, EXPIRY - 1n)).toMatchObject([{ action: 'submit', eligibleAddress: alice }])
  })

  test('given pitches, then it can be cancelled, and refunded from the expiry on, with and without a worker', () => {
    expect(actionsIn(aPitchTask('open', [alice]), EXPIRY - 1n)).toContain('cancel')
    const refunds = ['refund_expired', 'refund_expired']
    expect(actionsIn(aPitchTask('open', []), EXPIRY)).toEqual(expect.arrayContaining(refunds))
    expect(actionsIn(aPitchTask('worker_selected', [alice]), EXPIRY)).toEqual(refunds)
  })

  test('given a delivery, then it is accepted and rated', () => {
    expect(actionsIn(aPitchTask('pending_approval', [alice]), EXPIRY)).toEqual(['accept'])
    expect(actionsIn(aPitchTask('completed', [alice]), EXPIRY)).toEqual(['rate'])
  })
})
