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
} from '../../../src/rules/task-status.ts'

const movingEvents = ['TaskSubmitted', 'TaskCompleted', 'TaskCancelled', 'TaskExpired'] as const
const anyStatus = fc.constantFrom(...taskStatuses)
const anyEvent = fc.constantFrom<MovingEvent>(...movingEvents)

describe('the contract status enum', () => {
  test.each(taskStatuses.map((status, index) => [index + 1, status] as const))('value %i is %s', (value, status) => {
    expect(toTaskStatus(value)).toBe(status)
  })

  test.each([0, 11, 255])('value %i is refused, for no task of a log can have it', (value) => {
    expect(() => toTaskStatus(value)).toThrow(`status ${value}`)
  })
})

describe('the moves of a task', () => {
  test.each<[MovingEvent, TaskStatus, TaskStatus]>([
    ['TaskSubmitted', 'open', 'open'],
    ['TaskSubmitted', 'claimed', 'pending_approval'],
    ['TaskSubmitted', 'worker_selected', 'review'],
    ['TaskCompleted', 'open', 'completed'],
    ['TaskCompleted', 'pending_approval', 'completed'],
    ['TaskCompleted', 'completed', 'completed'],
    ['TaskCancelled', 'open', 'cancelled'],
    ['TaskCancelled', 'appealing', 'cancelled'],
    ['TaskExpired', 'open', 'expired'],
    ['TaskExpired', 'claimed', 'expired'],
  ])('%s may move %s to %s', (event, from, to) => {
    expect(moveStatus(event, from, to)).toBe(to)
  })

  test.each<[MovingEvent, TaskStatus, TaskStatus]>([
    ['TaskSubmitted', 'open', 'pending_approval'],
    ['TaskSubmitted', 'completed', 'completed'],
    ['TaskCancelled', 'claimed', 'cancelled'],
    ['TaskExpired', 'disputed', 'expired'],
    ['TaskExpired', 'open', 'cancelled'],
  ])('%s may not move %s to %s', (event, from, to) => {
    expect(() => moveStatus(event, from, to)).toThrow(`${event} moved a task from ${from} to ${to}`)
  })

  test('an ended task moves nowhere, but takes the further awards of its completion', () => {
    fc.assert(
      fc.property(anyEvent, fc.constantFrom(...terminalStatuses), anyStatus, (event, from, to) => {
        if (event === 'TaskCompleted' && from === 'completed' && to === 'completed') return
        expect(() => moveStatus(event, from, to)).toThrow()
      }),
    )
  })

  test('an ending event ends the task with its own status, or throws', () => {
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

test('exactly completed, expired and cancelled are terminal', () => {
  expect(taskStatuses.filter(isTerminal)).toEqual(['completed', 'expired', 'cancelled'])
})

test('a stored status is read back, and anything else refused', () => {
  for (const status of taskStatuses) expect(parseTaskStatus(status)).toBe(status)
  expect(() => parseTaskStatus('accepted')).toThrow('accepted')
})
