import { describe, expect, test } from 'vitest'
import { listPendingActions } from '../../../../api/domain/pending-actions.ts'
import {
  aClaim,
  aContest,
  alice,
  aPitchTask,
  aSnapshot,
  bob,
  carol,
  EXPIRY,
  PITCH_DEADLINE,
  pitchId,
  requester,
  taskId,
} from '../../../support/task-snapshots.ts'

const byRequester = { role: 'requester', eligibleAddress: requester, requiresPayment: true, paymentAmount: 1000n }
const anytime = { availableAfter: null, availableUntil: null, targetWorker: null }

describe('a bounty', () => {
  test('given no submission before its expiry, then submit, update and cancel are offered', () => {
    expect(listPendingActions(aSnapshot(), EXPIRY - 1n)).toEqual([
      {
        ...anytime,
        role: 'worker',
        action: 'submit',
        command: `task submit ${taskId} --file <path>`,
        eligibleAddress: null,
        requiresPayment: false,
        paymentAmount: null,
        availableUntil: EXPIRY,
      },
      { ...anytime, ...byRequester, action: 'update', command: `task update ${taskId} --<field> <value>` },
      { ...anytime, ...byRequester, action: 'cancel', command: `task cancel ${taskId}` },
    ])
  })

  test('given no submission from its expiry on, then any account may refund', () => {
    const refund = {
      ...anytime,
      action: 'refund_expired',
      command: `task refund-expired ${taskId}`,
      availableAfter: EXPIRY,
    }
    expect(listPendingActions(aSnapshot(), EXPIRY).slice(1)).toEqual([
      { ...anytime, ...byRequester, action: 'cancel', command: `task cancel ${taskId}` },
      { ...refund, ...byRequester },
      { ...refund, ...byRequester, role: 'anyone', eligibleAddress: null },
    ])
  })

  test('given one worker with an active submission, then the worker is filled in', () => {
    const task = aContest({ [alice]: 'standing', [bob]: 'rejected' })
    expect(listPendingActions(task, EXPIRY)).toEqual([
      { ...anytime, ...byRequester, action: 'accept', command: `task accept ${taskId} --worker ${alice}` },
      {
        ...anytime,
        ...byRequester,
        action: 'accept_submissions',
        command: `task accept-submissions ${taskId} --winner ${alice}:<share>[:<submissionId>]`,
      },
      {
        ...anytime,
        ...byRequester,
        action: 'reject_submission',
        command: `task reject-submission ${taskId} --worker ${alice}`,
      },
      { ...anytime, ...byRequester, action: 'update', command: `task update ${taskId} --<field> <value>` },
    ])
  })

  test('given several, then the requester chooses', () => {
    const commands = listPendingActions(aContest({ [alice]: 'standing', [bob]: 'standing' }), EXPIRY).map(
      ({ command }) => command,
    )
    expect(commands).toContain(`task accept ${taskId} --worker <worker>`)
    expect(commands).toContain(`task accept-submissions ${taskId} --winner <worker>:<share>[:<submissionId>]`)
    expect(commands).toContain(`task reject-submission ${taskId} --worker <worker>`)
  })

  test('given completion, then there is one rating for each award without one', () => {
    const awards = [
      { worker: alice, rated: false },
      { worker: bob, rated: true },
      { worker: carol, rated: false },
    ]
    expect(listPendingActions(aSnapshot({ status: 'completed', awards }), EXPIRY)).toEqual(
      [alice, carol].map((worker) => ({
        ...anytime,
        ...byRequester,
        action: 'rate',
        command: `task rate ${taskId} --worker ${worker} --rating <0-100>`,
        targetWorker: worker,
      })),
    )
  })

  test('given an award of the requester to itself, then no rating is offered', () => {
    const awards = [{ worker: requester, rated: false }]
    expect(listPendingActions(aSnapshot({ status: 'completed', awards }), EXPIRY)).toEqual([])
  })

  test.each(['expired', 'cancelled'] as const)('given %s, then nothing is offered', (status) => {
    expect(listPendingActions(aSnapshot({ status }), EXPIRY - 1n)).toEqual([])
  })
})

describe('a task to be claimed', () => {
  const claim = {
    ...anytime,
    role: 'worker',
    action: 'claim',
    command: `task claim ${taskId}`,
    eligibleAddress: null,
    availableUntil: EXPIRY,
  }
  const update = { ...anytime, ...byRequester, action: 'update', command: `task update ${taskId} --<field> <value>` }
  const cancel = { ...anytime, ...byRequester, action: 'cancel', command: `task cancel ${taskId}` }

  test('given it is open, then a claim costs its stake', () => {
    expect(listPendingActions(aClaim('open'), EXPIRY - 1n)).toEqual([
      { ...claim, requiresPayment: true, paymentAmount: 500_000n },
      update,
      cancel,
    ])
  })

  test.each([{ stakeBps: 0 }, { stakeBps: 1, reward: 9_999n }])(
    'given it is open and the stake is zero (%o), then a claim is free',
    (facts) => {
      const [first] = listPendingActions(aClaim('open', facts), EXPIRY - 1n)
      expect(first).toEqual({ ...claim, requiresPayment: false, paymentAmount: null })
    },
  )

  test('given its expiry, then no claim is offered, and any account may refund', () => {
    const actions = listPendingActions(aClaim('open', { claimRound: 1 }), EXPIRY).map(({ action }) => action)
    expect(actions).toEqual(['update', 'cancel', 'refund_expired', 'refund_expired'])
  })

  test('given it is claimed, then its worker alone may deliver', () => {
    expect(listPendingActions(aClaim('claimed'), EXPIRY - 1n)).toEqual([
      {
        ...anytime,
        role: 'worker',
        action: 'submit',
        command: `task submit ${taskId} --file <path>`,
        eligibleAddress: alice,
        requiresPayment: false,
        paymentAmount: null,
        availableUntil: EXPIRY,
      },
    ])
  })

  test('given it is claimed and expired, then the requester may reopen, and any account may refund', () => {
    const refund = {
      ...anytime,
      ...byRequester,
      action: 'refund_expired',
      command: `task refund-expired ${taskId}`,
      availableAfter: EXPIRY,
    }
    expect(listPendingActions(aClaim('claimed'), EXPIRY)).toEqual([
      {
        ...anytime,
        ...byRequester,
        action: 'forfeit',
        command: `task forfeit ${taskId}`,
        availableAfter: EXPIRY,
        requiresPayment: false,
        paymentAmount: null,
      },
      refund,
      { ...refund, role: 'anyone', eligibleAddress: null },
    ])
  })

  test('given a delivery, then the requester may accept, before and after the expiry', () => {
    const accept = { ...anytime, ...byRequester, action: 'accept', command: `task accept ${taskId} --worker ${alice}` }
    expect(listPendingActions(aClaim('pending_approval'), EXPIRY - 1n)).toEqual([accept])
    expect(listPendingActions(aClaim('pending_approval'), EXPIRY + 1n)).toEqual([accept])
  })

  test('given completion, then one rating is offered', () => {
    expect(listPendingActions(aClaim('completed'), EXPIRY).map(({ action }) => action)).toEqual(['rate'])
  })
})

test('given one worker with one pitch, then the offer of the selection names them', () => {
  const command = (task: ReturnType<typeof aPitchTask>) =>
    listPendingActions(task, PITCH_DEADLINE).find(({ action }) => action === 'select_worker')?.command
  const named = (pitch: string, worker: string) => `task select-worker ${taskId} --pitch ${pitch} --worker ${worker}`
  const open = aPitchTask('open', [alice, bob])
  expect(command(aPitchTask('open', [alice]))).toBe(named(pitchId, alice))
  expect(command({ ...open, solePitch: { worker: alice, id: null } })).toBe(named('<pitchId>', alice))
  expect(command(open)).toBe(named('<pitchId>', '<worker>'))
  expect(command(aPitchTask('open', []))).toBeUndefined()
})
