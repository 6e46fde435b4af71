import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../../client/src/create-client.ts'
import { deployment } from './hostile-service.ts'
import { listen } from './listen.ts'

interface Asked {
  query: URLSearchParams
  isStream: boolean
}

/** A service that answers `/api/events` as a test says, and what it was asked. */
async function aService(answer: (out: ServerResponse, asked: Asked, count: number) => void) {
  const requests: Asked[] = []
  const { url, stop } = await listen((request, out) => {
    const query = new URL(request.url ?? '', 'http://service').searchParams
    const asked = { query, isStream: request.headers.accept === 'text/event-stream' }
    requests.push(asked)
    answer(out, asked, requests.length)
  })
  onTestFinished(stop)
  const timing = { pauseMs: 20, maxPauseMs: 50 }
  return { requests, market: createClient({ url, deployment: { ...deployment, local: true }, timing }) }
}

const entry = (id: string, number: number) => ({ id, kind: 'task.cancelled', block: { number }, data: { refund: '0' } })

function answerJson(out: ServerResponse, status: number, body: unknown): void {
  out.writeHead(status, { 'Content-Type': 'application/json' })
  out.end(JSON.stringify(body))
}

function writeStream(out: ServerResponse, ...messages: unknown[]): void {
  out.writeHead(200, { 'Content-Type': 'text/event-stream' })
  out.write(messages.map((message) => `data: ${JSON.stringify(message)}\n\n`).join(''))
}

test('given no stream and ids that were begun anew, then pages go on from the last block that was final', async () => {
  const { market } = await aService((out, { query, isStream }) => {
    if (isStream) return answerJson(out, 429, { error: 'Too many open streams.' })
    if (query.get('after') === 'old-1') return answerJson(out, 410, { error: 'This place is not known any more.' })
    const [id, block] = query.get('fromBlock') === '8' ? ['new-1', 8] : ['old-1', 9]
    answerJson(out, 200, { events: [entry(id as string, block as number)], next: id, finalizedUpTo: 7 })
  })
  const seen: string[] = []
  const onRestart = (block: number) => void seen.push(`restart ${block}`)
  for await (const { id } of market.events({ fromBlock: 9, onRestart })) {
    seen.push(id)
    if (id === 'new-1') break
  }
  expect(seen).toEqual(['old-1', 'restart 8', 'new-1'])
})

test('given a service that knows no block either, then it is asked again after pauses', async () => {
  const end = new AbortController()
  const { market, requests } = await aService((out, _, count) => {
    if (count === 4) end.abort()
    answerJson(out, 410, { error: 'This place is not known any more.' })
  })
  const restarts: number[] = []
  const startedAt = performance.now()
  const reading = market.events({ fromBlock: 5, signal: end.signal, onRestart: (block) => restarts.push(block) })
  expect(await reading.next()).toEqual({ done: true, value: undefined })
  expect(performance.now() - startedAt).toBeGreaterThan(3 * 20)
  expect([restarts, requests.length]).toEqual([[], 4])
})

test.each<[string, (out: ServerResponse) => void, string]>([
  ['a redirect', (out) => out.writeHead(301, { Location: 'https://other.example/' }).end(), 'no redirect is followed'],
  [
    'a page of another program',
    (out) => out.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>'),
    'answered 200',
  ],
  ['a refusal', (out) => answerJson(out, 503, { error: 'This process takes no more streams.' }), 'no more streams'],
  ['a cut connection', (out) => out.destroy(), 'could not be reached'],
])(
  'given %s in the place of a stream, then the problem is told, once until there is a stream',
  async (_, fail, text) => {
    const { market } = await aService((out, _asked, count) => {
      if (count === 3) writeStream(out, entry('1', 1))
      else fail(out)
      if (count === 3) out.end()
    })
    const problems: string[] = []
    const end = new AbortController()
    const onProblem = (problem: string) => {
      problems.push(problem)
      if (problems.length === 2) end.abort()
    }
    const ids: string[] = []
    // The wallet has no place before its first entry: no page is asked for.
    for await (const { id } of market.events({ signal: end.signal, onProblem })) ids.push(id)
    expect(ids).toEqual(['1'])
    expect(problems).toEqual([expect.stringContaining(text), expect.stringContaining(text)])
  },
)

test('given a refusal without end, then it is read to a bound', async () => {
  let sent = 0
  const { market } = await aService((out, _, count) => {
    if (count > 1) return writeStream(out, entry('1', 1))
    out.writeHead(503, { 'Content-Type': 'application/json' })
    const chunk = Buffer.alloc(65_536, 'x')
    const write = () => {
      sent += chunk.length
      if (!out.destroyed) out.write(chunk, () => setImmediate(write))
    }
    write()
  })
  for await (const { id } of market.events()) {
    expect(id).toBe('1')
    break
  }
  expect(sent).toBeLessThan(64 * 1024 * 1024)
})
