import { expect, test } from 'vitest'
import { actionNames } from '../../../protocol/actions.ts'
import { auctionTypes, taskModes } from '../../../protocol/rules/selectors.ts'
import { taskStatuses } from '../../../protocol/rules/task-status.ts'
import { actionWords } from '../../../web/act/action-words.ts'
import { upcoming } from '../../../web/pages/tasks/upcoming.ts'
import { modeOf } from '../../../web/words/modes.ts'
import { stateOf } from '../../../web/words/states.ts'
import { aTask, hours, NOW } from './a-task.ts'

const kinds = [
  ...taskModes.filter((mode) => mode !== 'auction').map((mode) => ({ mode, auctionType: null })),
  ...auctionTypes.map((auctionType) => ({ mode: 'auction' as const, auctionType })),
]
const times = [
  { phase: 'active' as const, expiryTime: hours(24) },
  { phase: 'awaiting_settlement' as const, expiryTime: hours(-1) },
]
const facts = [
  {},
  { submissionCount: 3, auctionBidCount: 2, pitchCount: 1 },
  { pitchDeadline: hours(-1), bidDeadline: hours(-1) },
  { evaluator: `0x${'e'.repeat(40)}`, verdictType: 'REJECT' as const, disputeResolver: `0x${'d'.repeat(40)}` },
]
const tasks = taskStatuses.flatMap((status) =>
  kinds.flatMap((kind) => times.flatMap((time) => facts.map((fact) => aTask({ status, ...kind, ...time, ...fact })))),
)

test('given a task in any status, mode and time, then its state has a word and a sentence', () => {
  expect(tasks.length).toBe(10 * 8 * 2 * 4)
  for (const task of tasks) {
    const { shape, word, sentence } = stateOf(task, NOW)
    expect(['open', 'wait', 'done', 'bad']).toContain(shape)
    expect(word).toMatch(/^[A-Z][a-z ]+$/)
    expect(sentence).toMatch(/^[A-Z].*\.$/)
  }
})

test('given a task in any state, then what comes is in the future, and a task that is over has nothing to come', () => {
  for (const task of tasks) {
    const steps = upcoming(task, NOW)
    for (const { at, text } of steps) {
      expect(text).toMatch(/^[A-Z].*[^.]$/)
      if (at !== null) expect(Date.parse(at)).toBeGreaterThan(NOW)
    }
    expect(steps.length > 0).toBe(!['completed', 'expired', 'cancelled'].includes(task.status))
  }
})

test('given any mode, then one sentence says how a task of it ends', () => {
  for (const kind of kinds) expect(modeOf(kind).ends).toMatch(/^[A-Z].*\.$/)
})

test('given any action, then a button says it', () => {
  for (const action of actionNames) expect(actionWords[action]).toMatch(/^[A-Z][a-z ]+/)
})

test('given a bounty whose time is over, then entries are decided about, and without any the reward goes back', () => {
  const over = { status: 'open', expiryTime: hours(-1), phase: 'awaiting_settlement' } as const
  const texts = (submissionCount: number) => upcoming(aTask({ ...over, submissionCount }), NOW).map(({ text }) => text)
  expect(texts(0)).toEqual(['Without a delivery anyone can then send the reward back to the requester'])
  expect(texts(1)[0]).toMatch(/^The requester decides about the entries/)
})
