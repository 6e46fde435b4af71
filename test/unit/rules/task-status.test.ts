import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  isTerminal,
  type MovingEvent,
  moveStatus,
  parseTaskStatus,
  type TaskStatus,
  taskStatuses,
  terminalStatuses,
  toTaskStatus,
} from '../../../protocol/rules/task-status.ts'

const movingEvents = [
  ...(['TaskWorkerSelected', 'TaskReopened', 'TaskSubmitted', 'VerdictIssued', 'VerdictAppealed'] as const),
  ...(['EvaluatorTimedOut', 'TaskCompleted', 'TaskCancelled', 'TaskExpired'] as const),
] as const
const anyStatus = fc.constantFrom(...taskStatuses)
const anyEvent = fc.constantFrom<MovingEvent>(...movingEvents)

describe('the contract status enum', () => {
  test.each(taskStatuses.map((status, index) => [index + 1, status] as const))(
    'given the value %i, then it is %s',
    (value, status) => {
      expect(toTaskStatus(value)).toBe(status)
    },
  )

  test.each([0, 11, 255])('given the value %i, then it is refused: no task of a log has it', (value) => {
    expect(() => toTaskStatus(value)).toThrow(`status ${value}`)
  })
})

describe('the transitions of a task', () => {
  // Every transition of the contract, repeated here: from, event, to.
  const allowed: [TaskStatus, MovingEvent, TaskStatus][] = [
    ['open', 'TaskWorkerSelected', 'claimed'],
    ['open', 'TaskWorkerSelected', 'worker_selected'],
    ['open', 'TaskSubmitted', 'open'],
    ['open', 'VerdictIssued', 'appealing'],
    ['open', 'EvaluatorTimedOut', 'open'],
    ['open', 'TaskCompleted', 'completed'],
    ['open', 'TaskCancelled', 'cancelled'],
    ['open', 'TaskExpired', 'expired'],
    ['claimed', 'TaskReopened', 'open'],
    ['claimed', 'TaskSubmitted', 'pending_approval'],
    ['claimed', 'TaskSubmitted', 'review'],
    ['claimed', 'TaskExpired', 'expired'],
    ['worker_selected', 'TaskSubmitted', 'pending_approval'],
    ['worker_selected', 'TaskSubmitted', 'review'],
    ['worker_selected', 'TaskExpired', 'expired'],
    ['pending_approval', 'TaskCompleted', 'completed'],
    ['pending_approval', 'TaskExpired', 'expired'],
    ['review', 'VerdictIssued', 'appealing'],
    ['review', 'EvaluatorTimedOut', 'pending_approval'],
    ['review', 'TaskCompleted', 'completed'],
    ['review', 'TaskExpired', 'expired'],
    ['appealing', 'VerdictAppealed', 'disputed'],
    ['appealing', 'TaskCompleted', 'completed'],
    ['appealing', 'TaskCancelled', 'cancelled'],
    ['disputed', 'TaskCompleted', 'completed'],
    ['disputed', 'TaskCancelled', 'cancelled'],
    ['completed', 'TaskCompleted', 'completed'],
  ]

  test('given every status and event, then exactly these are made, all others refused', () => {
    const isAllowed = (...[from, event, to]: [TaskStatus, MovingEvent, TaskStatus]) =>
      allowed.some((move) => move[0] === from && move[1] === event && move[2] === to)
    for (const from of taskStatuses) {
      for (const event of movingEvents) {
        for (const to of taskStatuses) {
          const move = () => moveStatus(event, from, to)
          if (isAllowed(from, event, to)) expect(move()).toBe(to)
          else expect(move).toThrow(`${event} moved a task from ${from} to ${to}`)
        }
      }
    }
  })

  test('given an ended task, then it changes no more, but accepts the further awards of its completion', () => {
    fc.assert(
      fc.property(anyEvent, fc.constantFrom(...terminalStatuses), anyStatus, (event, from, to) => {
        if (event === 'TaskCompleted' && from === 'completed' && to === 'completed') return
        expect(() => moveStatus(event, from, to)).toThrow()
      }),
    )
  })

  test('given an ending event, then the task has its status, or it throws', () => {
    const endings = { TaskCompleted: 'completed', TaskCancelled: 'cancelled', TaskExpired: 'expired' } as const
    fc.assert(
      fc.property(
        fc.constantFrom('TaskCompleted', 'TaskCancelled', 'TaskExpired'),
        anyStatus,
        anyStatus,
        (event, from, to) => {
          if (to === endings[event]) return
          expect(() => moveStatus(event, from, to)).toThrow()
        },
      ),
    )
  })
})

test('given all statuses, then exactly completed, expired and cancelled are terminal', () => {
  expect(taskStatuses.filter(isTerminal)).toEqual(['completed', 'expired', 'cancelled'])
})

test('given a stored status, then it is read back, and others are refused', () => {
  for (const status of taskStatuses) expect(parseTaskStatus(status)).toBe(status)
  expect(() => parseTaskStatus('accepted')).toThrow('accepted')
})
