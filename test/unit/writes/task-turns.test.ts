import { expect, test } from 'vitest'
import { turnOf } from '../../../api/writes/stages/turn-of.ts'
import { createTaskTurns } from '../../../api/writes/task-turns.ts'
import { taskId } from '../../support/task-snapshots.ts'

const LONG_MS = 60_000

/** Records who has taken its turn. */
function openTurns(turnTimeoutMs = LONG_MS, maxWaitMs = LONG_MS) {
  const turnAt = createTaskTurns(turnTimeoutMs, maxWaitMs)
  const taken: string[] = []
  const begin = (name: string, id = taskId) => {
    const turn = turnAt(id)
    const taking = turn.take().then(() => {
      taken.push(name)
    })
    return { ...turn, taking }
  }
  return { begin, taken }
}

test('given a write has its turn, then the others of its task wait until it is bound, and then go on together', async () => {
  const { begin, taken } = openTurns()
  const [first, second, third] = [begin('first'), begin('second'), begin('third')]
  await begin('other task', `0x${'22'.repeat(32)}`).taking
  expect(taken).toEqual(['first', 'other task'])
  first.end(true)
  await Promise.all([second.taking, third.taking])
  await begin('later').taking
  expect(taken).toEqual(['first', 'other task', 'second', 'third', 'later'])
})

test('given the first is refused, then the next one alone goes on', async () => {
  const { begin, taken } = openTurns()
  const [first, second, third] = [begin('first'), begin('second'), begin('third')]
  first.end(false)
  await second.taking
  expect(taken).toEqual(['first', 'second'])
  second.end(true)
  second.end(false)
  await third.taking
  expect(taken).toEqual(['first', 'second', 'third'])
})

test('given a request ends while it waits, then it takes no turn', async () => {
  const { begin } = openTurns()
  const [first, gone] = [begin('first'), begin('gone')]
  gone.end(false)
  first.end(false)
  await gone.taking
  await begin('next').taking
})

test('given the first takes long, then one of the others takes its place, and the rest wait for that one', async () => {
  const { begin, taken } = openTurns(20)
  const [first, second, third] = [begin('first'), begin('second'), begin('third')]
  await second.taking
  expect(taken).toEqual(['first', 'second'])
  first.end(true)
  second.end(true)
  await third.taking
  expect(taken).toEqual(['first', 'second', 'third'])
})

test('given all before it take long, then a write waits no longer than it may', async () => {
  const { begin, taken } = openTurns(LONG_MS, 1)
  begin('first')
  await Promise.all([begin('second').taking, begin('third').taking])
  expect(taken).toEqual(['first', 'second', 'third'])
})

test.each([
  ['a claim', 'claims.create', ['signed', 'paid'], false, true],
  ['a paid acceptance', 'bids.accept', ['paid'], true, true],
  ['the first round of one', 'bids.accept', ['paid'], false, false],
  ['a bid, of which a task takes many', 'bids.create', ['paid'], true, false],
])('given %s, then it takes a turn of its task: %s %s %s %s', (_given, operation, modes, isPaid, expected) => {
  const turnAt = createTaskTurns()
  const asked: string[] = []
  const writes = {
    turnAt: (id: typeof taskId) => {
      asked.push(id)
      return turnAt(id)
    },
  }
  turnOf({ writes }, { write: { operation, modes } as never, input: { params: { taskId }, body: {} }, isPaid })
  expect(asked).toEqual(expected ? [taskId] : [])
})
