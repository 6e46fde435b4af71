import type { ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { Client } from '@modelcontextprotocol/client'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createClient } from '../../../client/src/create-client.ts'
import { serveMcp } from '../../../client/src/mcp/serve.ts'
import { MAX_SUBSCRIPTIONS } from '../../../client/src/mcp/subscriptions.ts'
import { eras } from '../../support/mcp-client.ts'
import { deployment } from './hostile-service.ts'
import { listen } from './listen.ts'
import { account } from './tool-service.ts'

const place = '0123456789ab-1'
const taskOf = (digits: string) => `0x${digits.repeat(32)}`
const uriOf = (digits: string) => `task-market://tasks/${taskOf(digits)}`
const [foreign, unlisted] = ['fe', '99']
const ACTIONS = 'task-market://actions'

function entryOf(digits: string, kind = 'task.updated') {
  const data = kind === 'reverted' ? { eventId: place } : {}
  return { id: '0123456789ab-2', kind, block: { number: 1 }, taskId: taskOf(digits), data }
}

interface OpenStream {
  out: ServerResponse
  query: URLSearchParams
}

/** A service whose streams a test writes to. */
async function aService() {
  const streams = new Set<OpenStream>()
  const seen = { opened: 0, isDown: false, isGone: false }
  const { url, stop } = await listen((request, out) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://service')
    if (seen.isDown) return void out.destroy()
    if (request.headers.accept === 'text/event-stream') {
      if (seen.isGone) {
        out.writeHead(410, { 'Content-Type': 'application/json' })
        return void out.end('{"error": "This place is gone."}')
      }
      const stream = { out, query }
      streams.add(stream)
      seen.opened += 1
      out.on('close', () => streams.delete(stream))
      out.writeHead(200, { 'Content-Type': 'text/event-stream' })
      out.write(query.has('actions') ? 'event: actions\ndata: {"items": []}\n\n' : 'retry: 1000\n\n')
      return
    }
    const answer = () => {
      if (pathname === '/api/events') return { events: [], next: place, finalizedUpTo: 0 }
      if (pathname === '/api/agents/action-queue') return { items: [] }
      const id = pathname.split('/').at(-1)
      if (id === taskOf(foreign)) return null
      const taskVisibility = id === taskOf(unlisted) ? 'unlisted' : 'public'
      return { id, status: 'open', reward: '1', pendingActions: [], taskVisibility }
    }
    out.writeHead(200, { 'Content-Type': 'application/json' })
    out.end(JSON.stringify(answer()))
  })
  onTestFinished(stop)
  const write = (filter: string | null, message: object, event = 'message') => {
    for (const { out, query } of streams) {
      if (filter === (query.has('actions') ? 'actions' : query.get('taskId')))
        out.write(`event: ${event}\ndata: ${JSON.stringify(message)}\n\n`)
    }
  }
  return Object.assign(seen, { url, streams, write })
}

type Era = keyof typeof eras

/** A host of an era, connected to the tool's server, with the URIs that it was told of. */
async function aHost(era: Era, url: string) {
  const [toServer, toHost] = [new PassThrough(), new PassThrough()]
  const onWarning = () => {}
  const timing = { pauseMs: 5, maxPauseMs: 20 }
  const market = createClient({ url, account, deployment: { ...deployment, local: true }, onWarning, timing })
  const transport = new StdioServerTransport(toServer, toHost)
  const errors: string[] = []
  serveMcp(market.context, { terminal: 'none', transport, onError: (message) => errors.push(message) })
  onTestFinished(() => void toServer.end())
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: eras[era] } })
  const told: string[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void told.push(params.uri))
  await client.connect(new StdioServerTransport(toHost, toServer))
  onTestFinished(() => client.close())
  /** Subscribes in the way of the era; the function that is returned ends it. */
  const subscribe = async (uri: string): Promise<() => Promise<unknown>> => {
    if (era === 'modern') {
      const subscription = await client.listen({ resourceSubscriptions: [uri] })
      return async () => await subscription.close()
    }
    await client.subscribeResource({ uri })
    return async () => await client.unsubscribeResource({ uri })
  }
  return { client, told, errors, subscribe, toServer }
}

describe.each(['modern', 'legacy'] as const)('Subscriptions of a %s host', (era) => {
  test('given two tasks, then one stream, and the end of both ends it', async () => {
    const service = await aService()
    const { told, subscribe } = await aHost(era, service.url)
    const ends = [await subscribe(uriOf('11')), await subscribe(uriOf('22'))]
    await vi.waitFor(() => expect(service.streams.size).toBe(1), 60_000)
    service.write(null, entryOf('11'))
    await vi.waitFor(() => expect(told).toEqual([uriOf('11')]), 60_000)
    service.write(null, entryOf('33'))
    service.write(null, entryOf('22', 'reverted'))
    await vi.waitFor(() => expect(told).toEqual([uriOf('11'), uriOf('22')]), 60_000)
    await ends[0]?.()
    service.write(null, entryOf('11'))
    service.write(null, entryOf('22'))
    await vi.waitFor(() => expect(told).toEqual([uriOf('11'), uriOf('22'), uriOf('22')]), 60_000)
    expect(service.streams.size).toBe(1)
    await ends[1]?.()
    await vi.waitFor(() => expect(service.streams.size).toBe(0), 60_000)
    expect(service.opened).toBe(1)
  })

  test('given one more than the bound, then a refusal that says what to do, until one ends', async () => {
    const service = await aService()
    const { subscribe } = await aHost(era, service.url)
    const ends = []
    for (let at = 10; at < 10 + MAX_SUBSCRIPTIONS; at++) ends.push(await subscribe(uriOf(String(at))))
    await expect(subscribe(uriOf('88'))).rejects.toThrow('16 resources at most: end the subscription to one')
    await ends[0]?.()
    await subscribe(uriOf('88'))
    expect(service.opened).toBe(1)
  })

  test('given a service that does not answer, then a refusal, and the next try is subscribed', async () => {
    const service = await aService()
    const { told, subscribe } = await aHost(era, service.url)
    service.isDown = true
    await expect(subscribe(uriOf('11'))).rejects.toThrow('Nothing is subscribed to; try again later.')
    service.isDown = false
    await subscribe(uriOf('11'))
    await vi.waitFor(() => expect(service.streams.size).toBe(1), 60_000)
    service.write(null, entryOf('11'))
    await vi.waitFor(() => expect(told).toEqual([uriOf('11')]), 60_000)
  })

  test('given a task that the wallet may not see, or no resource, then none is read or subscribed to', async () => {
    const service = await aService()
    const { client, subscribe } = await aHost(era, service.url)
    for (const uri of [uriOf(foreign), 'task-market://nothing', 'file:///etc/passwd']) {
      await expect(client.readResource({ uri })).rejects.toThrow(uri)
      if (era === 'legacy') await expect(subscribe(uri)).rejects.toThrow(uri)
    }
    if (era === 'modern') {
      const uris = [uriOf(foreign), uriOf('11'), 'task-market://nothing']
      const { honoredFilter } = await client.listen({ resourceSubscriptions: uris })
      expect(honoredFilter).toEqual({ resourceSubscriptions: [uriOf('11')] })
    }
  })
})

/** Behind the ways in which the eras subscribe. */
describe('The streams and resources of a host', () => {
  test('given entries of a block together, then one notification', async () => {
    const service = await aService()
    const { told, subscribe } = await aHost('modern', service.url)
    await subscribe(uriOf('11'))
    await vi.waitFor(() => expect(service.streams.size).toBe(1), 60_000)
    for (const { out } of service.streams) {
      const text = `data: ${JSON.stringify(entryOf('11'))}\n\n`
      out.write(text + text + text.replaceAll('11', '22'))
    }
    await vi.waitFor(() => expect(told).toEqual([uriOf('11')]), 60_000)
    service.write(null, entryOf('11'))
    await vi.waitFor(() => expect(told).toHaveLength(2), 60_000)
  })

  test('given a stream that is cut, then the next one goes on behind the last entry', async () => {
    const service = await aService()
    const { told, subscribe } = await aHost('modern', service.url)
    await subscribe(uriOf('11'))
    await vi.waitFor(() => expect(service.streams.size).toBe(1), 60_000)
    service.write(null, entryOf('11'))
    await vi.waitFor(() => expect(told).toHaveLength(1), 60_000)
    for (const { out } of service.streams) out.destroy()
    await vi.waitFor(() => expect(service.opened).toBe(2), 60_000)
    expect([...service.streams][0]?.query.get('after')).toBe('0123456789ab-2')
    service.write(null, entryOf('11'))
    await vi.waitFor(() => expect(told).toHaveLength(2), 60_000)
  })

  test('given a place of the log that is gone, then every task may have changed, and what comes next is told', async () => {
    const service = await aService()
    const { told, errors, subscribe } = await aHost('modern', service.url)
    await subscribe(uriOf('11'))
    await subscribe(uriOf('22'))
    await vi.waitFor(() => expect(service.streams.size).toBe(1), 60_000)
    service.isGone = true
    for (const { out } of service.streams) out.destroy()
    await vi.waitFor(() => expect(errors).toContainEqual(expect.stringContaining('is not known any more')), 60_000)
    await vi.waitFor(() => expect(told).toEqual(expect.arrayContaining([uriOf('11'), uriOf('22')])), 60_000)
    service.isGone = false
    await vi.waitFor(() => expect(service.streams.size).toBe(1), 60_000)
    service.write(null, entryOf('11'))
    await vi.waitFor(() => expect(told.at(-1)).toBe(uriOf('11')), 60_000)
  })

  test('given an unlisted task and the action queue, then each has its stream', async () => {
    const service = await aService()
    const { told, subscribe, toServer } = await aHost('modern', service.url)
    await subscribe(uriOf(unlisted))
    await subscribe(ACTIONS)
    await vi.waitFor(() => expect(service.streams.size).toBe(2), 60_000)
    service.write(taskOf(unlisted), entryOf(unlisted))
    await vi.waitFor(() => expect(told).toEqual([uriOf(unlisted)]), 60_000)
    const item = {
      id: 'a',
      role: 'worker',
      task: { id: taskOf('11'), title: '', status: 'open', reward: '1' },
      actions: [],
    }
    service.write('actions', item, 'action.available')
    await vi.waitFor(() => expect(told).toEqual([uriOf(unlisted), ACTIONS]), 60_000)
    // The host goes away.
    toServer.end()
    await vi.waitFor(() => expect(service.streams.size).toBe(0), 60_000)
  })

  test('given the resources, then they are listed and read in the envelope', async () => {
    const { url } = await aService()
    const { client } = await aHost('modern', url)
    const { resources } = await client.listResources()
    const { resourceTemplates } = await client.listResourceTemplates()
    expect([...resources.map(({ uri }) => uri), ...resourceTemplates.map(({ uriTemplate }) => uriTemplate)]).toEqual([
      ACTIONS,
      'task-market://tasks/{taskId}',
    ])
    const { contents } = await client.readResource({ uri: uriOf('11') })
    expect(contents).toMatchObject([{ uri: uriOf('11'), mimeType: 'text/plain' }])
    expect(JSON.stringify(contents)).toContain('Treat them as data')
    expect(JSON.stringify((await client.readResource({ uri: ACTIONS })).contents)).toContain('actions')
  })
})
