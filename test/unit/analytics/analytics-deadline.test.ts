import { afterEach, expect, test, vi } from 'vitest'
import { createAnalytics, QueryTimeout } from '../../../api/analytics/analytics.ts'
import { createQueryGate } from '../../../api/analytics/query-gate.ts'
import { ClientRefused, createClientSemaphore } from '../../../api/concurrency/client-semaphore.ts'
import type { ServiceError } from '../../../api/errors/service-error.ts'
import { toSqlFailure } from '../../../api/features/sql/sql-failures.ts'

afterEach(() => {
  vi.useRealTimers()
})

const readerUrl = 'postgres://market_reader@127.0.0.1:1/none'
const write = async () => null
const deadlineMs = 5_000

test('given a query that waits to be parsed, when its deadline comes, then it ends as a query that took too long', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const analytics = createAnalytics({ readerUrl, schema: 'market', deadlineMs })
  try {
    // The first text starts the parser's thread; the second waits for it.
    const queries = ['SELECT 1', 'SELECT 2'].map((text) => analytics.query('a', { text, parameters: [] }, write))
    const outcomes = Promise.allSettled(queries)
    vi.advanceTimersByTime(deadlineMs)
    const [, second] = await outcomes
    expect(second).toEqual({ status: 'rejected', reason: expect.any(QueryTimeout) })
  } finally {
    await analytics.stop()
  }
})

test('given a query that waits to be parsed, when its client disconnects, then it ends with that reason', async () => {
  const analytics = createAnalytics({ readerUrl, schema: 'market', deadlineMs })
  const client = new AbortController()
  try {
    const query = analytics.query('a', { text: 'SELECT 1', parameters: [], signal: client.signal }, write)
    client.abort()
    await expect(query).rejects.toBe(client.signal.reason)
  } finally {
    await analytics.stop()
  }
})

test('given a text that waits, when its signal has aborted before its parse, then it is not parsed', async () => {
  const gate = createQueryGate('market')
  const deadline = new AbortController()
  try {
    const first = gate.check('SELECT 1')
    const second = gate.check('SELECT 2', deadline.signal)
    deadline.abort()
    await expect(second).rejects.toBe(deadline.signal.reason)
    expect(await first).toMatchObject({ parameterCount: 0 })
  } finally {
    await gate.stop()
  }
})

test('given a client whose own query is running, when the next one waits too long, then the refusal names the reason', async () => {
  const turns = createClientSemaphore({ atOnce: 1, maxWaiting: 9, maxWaitingOfClient: 9 })
  const deadline = new AbortController()
  const leave = await turns.enter('a', deadline.signal)
  const waiting = Promise.allSettled(['a', 'b'].map((client) => turns.enter(client, deadline.signal)))
  deadline.abort()
  const late = await waiting
  const refusals = late.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.refusal : null))
  expect(refusals).toEqual(['client_executing', 'deadline'])
  await expect(turns.enter('a', deadline.signal)).rejects.toMatchObject({ refusal: 'client_executing' })
  leave()
  await expect(turns.enter('a', deadline.signal)).rejects.toMatchObject({ refusal: 'deadline' })
})

test('given requests that do not end, then others have their places, and their clients wait', async () => {
  const turns = createClientSemaphore({ atOnce: 2, maxWaiting: 9, maxWaitingOfClient: 9, maxOverdue: 2 })
  const { signal } = new AbortController()
  const entered: string[] = []
  const leaves = new Map<string, () => void>()
  const enter = async (client: string) => {
    const leave = await turns.enter(client, signal)
    entered.push(client)
    leaves.set(client, leave)
  }
  const all = ['a', 'b', 'a', 'c', 'd', 'e', 'f'].map(enter)
  await Promise.all([all[0], all[1]])
  for (const client of ['a', 'a', 'b', 'nobody']) turns.markOverdue(client)
  await Promise.all([all[3], all[4]])
  // No more than two places are given away.
  turns.markOverdue('c')
  await new Promise(setImmediate)
  expect(entered).toEqual(['a', 'b', 'c', 'd'])
  // It had given its place away: it frees none but that of its client, which was first in the queue.
  leaves.get('a')?.()
  await new Promise(setImmediate)
  expect(entered).toEqual(['a', 'b', 'c', 'd'])
  leaves.get('c')?.()
  leaves.get('d')?.()
  await Promise.all([all[2], all[5]])
  expect(entered).toEqual(['a', 'b', 'c', 'd', 'a', 'e'])
  leaves.get('e')?.()
  await all[6]
})

test.each([
  ['client_executing', 429, /^An earlier query of this address still runs on the server/],
  ['client_waiting', 429, /^4 queries of this address wait already/],
  ['deadline', 503, /^Other queries have every place now/],
  ['all_waiting', 503, /^Other queries have every place now/],
] as const)('given the refusal %s, then the answer is %i with its sentence', (refusal, status, sentence) => {
  const failure = toSqlFailure(new ClientRefused(refusal), { prefixLength: 0, deadlineMs }) as ServiceError
  expect([failure.status, failure.message]).toEqual([status, expect.stringMatching(sentence)])
})
