import { afterEach, expect, test } from 'vitest'
import { createEngine, type EngineRun, type Plan } from '../../../api/analytics/engine.ts'
import { QueryFailed } from '../../../api/analytics/query-failure.ts'

const engine = createEngine(new URL('./breaking-process.ts', import.meta.url))
afterEach(() => engine.stop())

const run = (text: string, { deadlineMs = 20_000, signal }: { deadlineMs?: number; signal?: AbortSignal } = {}) => {
  const database = { url: 'postgres://127.0.0.1:1/none', schema: 'market' }
  return engine.run({ database, query: { text, parameters: [] }, deadlineMs, maxBytes: 1 }, signal)
}
const answerOf = async ({ result, ended }: EngineRun) => {
  const answer = await result.catch((error: unknown) => error)
  await ended
  return answer
}

test.each([
  ['parsing throw', 'refused', /too complex/],
  ['parsing exit', 'refused', /too complex/],
  ['running throw', 'limit', /more memory/],
  ['running exit', 'limit', /more memory/],
  ['running kill', 'unavailable', /try again/],
])(
  'given a process that is lost (%s), then the query fails; the next one has another process',
  async (text, kind, sentence) => {
    const failure = await answerOf(run(text))
    expect(failure).toMatchObject({ kind, message: expect.stringMatching(sentence) })
  },
)

test('given a program that does not start, then the query is answered at once that it can be tried again', async () => {
  const broken = createEngine(new URL('./no-such-program.ts', import.meta.url))
  const database = { url: 'postgres://127.0.0.1:1/none', schema: 'market' }
  const query = { text: 'running answer', parameters: [] }
  const failure = await answerOf(broken.run({ database, query, deadlineMs: 20_000, maxBytes: 1 }, undefined))
  expect(failure).toMatchObject({ kind: 'unavailable', message: expect.stringMatching(/try again/) })
})

test('given a process that was killed between two queries, then the next one is answered', async () => {
  const pid = Number(((await answerOf(run('running pid'))) as Plan).plan)
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => isAlive(pid)).toBe(false)
  expect(await answerOf(run('running answer', { deadlineMs: 5_000 }))).toEqual({ snapshot: null, plan: '[]' })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('given a process that does not answer, when the deadline has passed, then the client is answered, and the query has not ended', async () => {
  const { result, ended } = run('running silent', { deadlineMs: 1 })
  await expect(result).rejects.toMatchObject({
    kind: 'limit',
    message: expect.stringMatching(/^The query was stopped/),
  })
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
  })
  await new Promise(setImmediate)
  expect(hasEnded).toBe(false)
  await engine.stop()
  await ended
  expect(await answerOf(run('running answer'))).toEqual({ snapshot: null, plan: '[]' })
})

test('given a client that is gone, then its query ends for it with that reason', async () => {
  const client = new AbortController()
  const { result, ended } = run('running silent', { signal: client.signal })
  client.abort('gone')
  await expect(result).rejects.toBe('gone')
  await engine.stop()
  await ended
  expect(await answerOf(run('running answer', { signal: client.signal }))).toBe('gone')
})

test('given a refused query, then its facts come through, and the same process goes on', async () => {
  const failure = await answerOf(run('parsing refuse'))
  expect(failure instanceof QueryFailed && failure.facts()).toEqual({
    kind: 'refused',
    message: 'no',
    position: 7,
    cause: null,
  })
})
