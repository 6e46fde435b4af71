import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createUnsentAnswers, type UnsentAnswers, UnsentRefused } from '../../../api/analytics/unsent-answers.ts'

const maxMs = 60_000
/** More than the buffers of a connection hold: the rest leaves the process when the client reads. */
const large = Buffer.alloc(32 * 1024 * 1024)

let server: Server
const clients: Socket[] = []

beforeEach(async () => {
  server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  // The deadline of an answer alone: the server and its connections use real time.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})

afterEach(async () => {
  vi.useRealTimers()
  const closed = once(server, 'close')
  server.close()
  for (const client of clients.splice(0)) client.destroy()
  await closed
})

/** Whether clients must have read answers before a client without one may send a query. */
function isFull(unsent: UnsentAnswers): boolean {
  return refusalFor(unsent, 'without answers') === 'all'
}

function refusalFor(unsent: UnsentAnswers, client: string): unknown {
  try {
    unsent.requireRoom(client)
    return null
  } catch (error) {
    if (!(error instanceof UnsentRefused)) throw error
    return error.refusal
  }
}

interface Exchange {
  response: ServerResponse
  /** It reads nothing until it is told to. */
  client: Socket
}

/** A request on its own connection, whose answer has not begun. */
async function openExchange(): Promise<Exchange> {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => {})
  clients.push(client)
  const requested = once(server, 'request')
  client.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
  const [, response] = (await requested) as [unknown, ServerResponse]
  return { response, client }
}

describe('given an answer that a client has not read', () => {
  test('when it reads it, then the bytes count until then, and no deadline is left', async () => {
    const unsent = createUnsentAnswers({ maxBytes: large.length, maxBytesOfClient: Number.POSITIVE_INFINITY, maxMs })
    const { response, client } = await openExchange()
    unsent.hold('a', large.length, response)
    const closed = once(response, 'close')
    response.end(large)
    await once(client, 'readable')
    expect(response.writableFinished).toBe(false)
    expect(isFull(unsent)).toBe(true)

    client.resume()
    await closed

    expect(isFull(unsent)).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
    expect(client.destroyed).toBe(false)
  })

  test('when its deadline comes, then its connection is cut and the bytes are released', async () => {
    const unsent = createUnsentAnswers({ maxBytes: large.length, maxBytesOfClient: Number.POSITIVE_INFINITY, maxMs })
    const { response, client } = await openExchange()
    unsent.hold('a', large.length, response)
    const closed = once(response, 'close')
    response.end(large)
    await once(client, 'readable')

    vi.advanceTimersByTime(maxMs - 1)
    expect([response.destroyed, isFull(unsent)]).toEqual([false, true])
    vi.advanceTimersByTime(1)
    await closed
    expect(isFull(unsent)).toBe(false)

    const clientClosed = once(client, 'close')
    client.resume()
    await clientClosed
    expect(client.bytesRead).toBeLessThan(large.length)
  })

  test('when the client disconnects, then the bytes are released and no deadline is left', async () => {
    const unsent = createUnsentAnswers({ maxBytes: large.length, maxBytesOfClient: Number.POSITIVE_INFINITY, maxMs })
    const { response, client } = await openExchange()
    unsent.hold('a', large.length, response)
    const closed = once(response, 'close')
    response.end(large)
    client.destroy()
    await closed
    expect(isFull(unsent)).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
    // They are released once: the next answer of this size counts in full.
    unsent.hold('b', large.length, (await openExchange()).response)
    expect(isFull(unsent)).toBe(true)
  })
})

describe('given several answers', () => {
  test('when their bytes together reach the bound, then it is full, until one of them is read', async () => {
    const unsent = createUnsentAnswers({ maxBytes: 10, maxBytesOfClient: Number.POSITIVE_INFINITY, maxMs })
    const exchanges = [await openExchange(), await openExchange(), await openExchange()]
    const fullAfter = exchanges.map(({ response }, index) => {
      unsent.hold('a', [6, 3, 1][index] ?? 0, response)
      return isFull(unsent)
    })
    expect(fullAfter).toEqual([false, false, true])

    for (const { response } of exchanges.toReversed()) {
      const closed = once(response, 'close')
      response.end()
      await closed
      expect(isFull(unsent)).toBe(false)
    }
    const { response } = await openExchange()
    unsent.hold('a', 9, response)
    expect(isFull(unsent)).toBe(false)
    unsent.hold('a', 1, response)
    expect(isFull(unsent)).toBe(true)
  })
})

describe('given a share for each client', () => {
  const shares = { maxBytes: 40, maxBytesOfClient: 10, maxMs }

  test('when a client has its share unsent, then it is refused until it reads one, and other clients are not', async () => {
    const unsent = createUnsentAnswers(shares)
    const exchanges = [await openExchange(), await openExchange()]
    for (const { response } of exchanges) unsent.hold('a', 5, response)
    expect([refusalFor(unsent, 'a'), refusalFor(unsent, 'b')]).toEqual(['client', null])

    const [{ response }] = exchanges as [Exchange, Exchange]
    const closed = once(response, 'close')
    response.end()
    await closed
    expect(refusalFor(unsent, 'a')).toBeNull()
  })

  test('when an answer would exceed the share, then it is refused, and a single one may have any size', async () => {
    const unsent = createUnsentAnswers(shares)
    const { response } = await openExchange()
    unsent.hold('a', 9, response)
    expect(() => unsent.hold('a', 2, response)).toThrow(UnsentRefused)
    unsent.hold('b', 12, (await openExchange()).response)
    expect(['a', 'b', 'c'].map((client) => refusalFor(unsent, client))).toEqual([null, 'client', null])
  })

  test('when clients reach the bound of all together, then any client is refused, its own share first', async () => {
    const unsent = createUnsentAnswers(shares)
    for (const client of ['a', 'b', 'c', 'd']) unsent.hold(client, 10, (await openExchange()).response)
    expect([refusalFor(unsent, 'a'), refusalFor(unsent, 'e')]).toEqual(['client', 'all'])
  })
})

describe('given a response that emits no further event', () => {
  const states: [string, (exchange: Exchange) => Promise<unknown>][] = [
    [
      'its client has disconnected',
      async ({ response, client }) => {
        client.destroy()
        await once(response, 'close')
      },
    ],
    [
      'it is sent and closed',
      async ({ response }) => {
        response.end()
        await once(response, 'close')
      },
    ],
    ['it is destroyed, and not closed yet', async ({ response }) => response.destroy()],
  ]

  test.each(states)('when %s, then its bytes count nothing and it gets no deadline', async (_name, reach) => {
    const unsent = createUnsentAnswers({ maxBytes: 1, maxBytesOfClient: Number.POSITIVE_INFINITY, maxMs })
    const exchange = await openExchange()
    await reach(exchange)
    unsent.hold('a', 1, exchange.response)
    expect(isFull(unsent)).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
  })
})

test('given a call in this process, which has no connection, then its bytes are not counted', () => {
  const unsent = createUnsentAnswers({ maxBytes: 1, maxBytesOfClient: Number.POSITIVE_INFINITY, maxMs })
  unsent.hold('a', 1, undefined)
  expect(isFull(unsent)).toBe(false)
  expect(vi.getTimerCount()).toBe(0)
})

test('given an answer that waits behind another on its connection, when its deadline comes, then the connection ends', async () => {
  const unsent = createUnsentAnswers({ maxBytes: 1, maxBytesOfClient: Number.POSITIVE_INFINITY, maxMs })
  const { client } = await openExchange()
  const requested = once(server, 'request')
  client.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
  const [request, second] = (await requested) as [IncomingMessage, ServerResponse]
  expect(second.socket).toBeNull()
  const closed = once(request.socket, 'close')
  unsent.hold('a', large.length, second)
  second.end(large)

  vi.advanceTimersByTime(maxMs)

  await closed
  expect(isFull(unsent)).toBe(false)
})
