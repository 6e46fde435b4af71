import type { ServerResponse } from 'node:http'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createClient } from '../../../client/src/create-client.ts'
import { deployment, taskId } from './hostile-service.ts'
import { listen } from './listen.ts'

const entry = {
  id: '1',
  kind: 'task.cancelled',
  block: { number: 1, timestamp: '2030-01-01T00:00:00.000Z' },
  data: { refund: '0' },
}
const entryText = `event: task.cancelled\ndata: ${JSON.stringify(entry)}\n\n`

/** A service with one task, whose streams a test opens and ends. */
async function aService(onStream: (out: ServerResponse) => void) {
  const seen = { status: 'open', reads: 0, streams: 0, openStreams: 0, query: '', onRead: (_: ServerResponse) => false }
  const { url, stop } = await listen((request, out) => {
    if (request.url?.startsWith('/api/events')) {
      seen.query = request.url.split('?')[1] ?? ''
      seen.streams += 1
      seen.openStreams += 1
      out.on('close', () => {
        seen.openStreams -= 1
      })
      return onStream(out)
    }
    seen.reads += 1
    if (seen.onRead(out)) return
    out.setHeader('Content-Type', 'application/json')
    out.end(JSON.stringify({ id: taskId, status: seen.status, reward: '1', pendingActions: [] }))
  })
  onTestFinished(stop)
  const market = createClient({ url, deployment: { ...deployment, local: true }, timing: { pauseMs: 5 } })
  return Object.assign(seen, { market })
}

function begin(out: ServerResponse): void {
  out.writeHead(200, { 'Content-Type': 'text/event-stream' })
  out.write('retry: 1000\n\n')
}

function writeTo(out: ServerResponse | null): void {
  out?.write(entryText)
}

/** A pause so long that no test passes by looking in pauses. */
const never = { pauseMs: 600_000 }

test('given a change between the first read and the opening of the stream, then it is not missed', async () => {
  const service = await aService((out) => {
    service.status = 'cancelled'
    begin(out)
  })
  expect(await service.market.waitFor(taskId, 'cancelled', never)).toMatchObject({ status: 'cancelled' })
  expect(service.reads).toBe(2)
  await vi.waitFor(() => expect(service.openStreams).toBe(0), 60_000)
})

test('given an entry, then the task is read again', async () => {
  let stream: ServerResponse | null = null
  const service = await aService((out) => {
    begin(out)
    stream = out
  })
  const waiting = service.market.waitFor(taskId, 'cancelled', never)
  await vi.waitFor(() => expect(service.reads).toBeGreaterThan(1), 60_000)
  service.status = 'cancelled'
  writeTo(stream)
  expect(await waiting).toMatchObject({ status: 'cancelled' })
  await vi.waitFor(() => expect(service.openStreams).toBe(0), 60_000)
})

test('given a connection that is cut before the entry, then the next stream begins with a read', async () => {
  const service = await aService((out) => {
    begin(out)
    if (service.streams > 1) return
    // The change comes when neither stream is open.
    out.on('close', () => {
      service.status = 'cancelled'
    })
    setImmediate(() => out.destroy())
  })
  expect(await service.market.waitFor(taskId, 'cancelled', never)).toMatchObject({ status: 'cancelled' })
})

const withoutStream: [string, (out: ServerResponse) => void][] = [
  ...[410, 406, 404, 429, 503].map((status): [string, (out: ServerResponse) => void] => [
    String(status),
    (out) => {
      out.writeHead(status, { 'Content-Type': 'application/json' })
      out.end('{"error": "No stream."}')
    },
  ]),
  ['a page in place of a stream', (out) => out.end('{"events": [], "next": null, "finalizedUpTo": null}')],
  ['a cut connection', (out) => out.destroy()],
  ['no answer', () => {}],
]

test.each(withoutStream)('given %s where a stream is asked for, then the task is read in pauses', async (_, answer) => {
  const service = await aService(answer)
  service.onRead = () => {
    if (service.reads === 4) service.status = 'cancelled'
    return false
  }
  const found = await service.market.waitFor(taskId, ['cancelled', 'expired'], { pauseMs: 5 })
  expect(found).toMatchObject({ id: taskId, status: 'cancelled' })
  expect(service.reads).toBe(4)
  await vi.waitFor(() => expect(service.openStreams).toBe(0), 60_000)
})

test('given a task that has the status, or no time, then one read', async () => {
  const service = await aService(begin)
  expect(await service.market.waitFor(taskId, 'open')).toMatchObject({ status: 'open' })
  expect(await service.market.waitFor(taskId, 'cancelled', { timeoutMs: 0 })).toBeNull()
  expect(await service.market.waitFor(taskId, 'cancelled', { timeoutMs: -0.5 })).toBeNull()
  expect(await service.market.waitFor(taskId, 'open', { timeoutMs: Infinity })).not.toBeNull()
  expect(service.reads).toBe(4)
  await vi.waitFor(() => expect(service.openStreams).toBe(0), 60_000)
})

test.each([
  ['an open stream', begin],
  ['no stream', (out: ServerResponse) => out.destroy()],
])('given a time that is up beside %s, then null, and no stream is left', async (_, onStream) => {
  const service = await aService(onStream)
  expect(await service.market.waitFor(taskId, 'cancelled', { timeoutMs: 60 })).toBeNull()
  expect(service.reads).toBeGreaterThan(0)
  await vi.waitFor(() => expect(service.openStreams).toBe(0), 60_000)
})

test.each(['while it waits', 'while it reads', 'before it begins'])(
  'given a signal that aborts %s, then its reason is thrown, and no stream is left',
  async (when) => {
    const end = new AbortController()
    const reason = new Error('enough')
    const service = await aService((out) => {
      begin(out)
      if (when === 'while it waits') setImmediate(() => end.abort(reason))
    })
    service.onRead = () => {
      if (when === 'while it reads') end.abort(reason)
      return when === 'while it reads'
    }
    if (when === 'before it begins') end.abort(reason)
    await expect(service.market.waitFor(taskId, 'cancelled', { ...never, signal: end.signal })).rejects.toBe(reason)
    if (when === 'before it begins') expect(service.reads).toBe(0)
    await vi.waitFor(() => expect(service.openStreams).toBe(0), 60_000)
  },
)

test('given an answer that is not the service, then a ReadError, and no stream is left', async () => {
  const service = await aService(begin)
  service.onRead = (out) => {
    if (service.reads === 1) return false
    out.end('["nothing"]')
    return true
  }
  await expect(service.market.waitFor(taskId, 'cancelled', never)).rejects.toThrow('/api/tasks/')
  await vi.waitFor(() => expect(service.openStreams).toBe(0), 60_000)
})

test('given entries while the caller is busy, then it is told to read again, and leaving ends the stream', async () => {
  let stream: ServerResponse | null = null
  const service = await aService((out) => {
    begin(out)
    stream = out
  })
  let looks = 0
  for await (const _ of service.market.changes({ kinds: ['task.cancelled'], tags: ['a, b', 'c'], ...never })) {
    looks += 1
    if (looks === 2) {
      // The stream is open.
      writeTo(stream)
      writeTo(stream)
    }
    if (looks === 3) break
  }
  expect(service.query).toBe('kind=task.cancelled&tag=a%2C+b&tag=c')
  await vi.waitFor(() => expect(service.openStreams).toBe(0), 60_000)
})

test('given a wallet whose action queue is followed, then the caller reads again with the queue and with each change of it', async () => {
  const wallet = `0x${'7'.repeat(40)}`
  let stream: ServerResponse | null = null
  const tell = (event: string, data: object) => stream?.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  const service = await aService((out) => {
    begin(out)
    stream = out
    tell('actions', { items: [], waiting: [], total: 0, urgentTotal: 0 })
    tell('position', { next: '1', finalizedUpTo: 0 })
  })
  const told = ['action.available', 'action.closed']
  let looks = 0
  for await (const _ of service.market.changes({ address: wallet, actions: wallet, ...never })) {
    looks += 1
    const event = looks < 2 ? undefined : told.shift()
    if (event !== undefined) tell(event, { id: 'a' })
    if (looks === 4) break
  }
  expect(service.query).toBe(`address=${wallet}&actions=${wallet}`)
  expect(service.streams).toBe(1)
})
