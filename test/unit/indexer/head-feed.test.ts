import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { BlockHeader } from '../../../ops/indexer/heads/block-header.ts'
import { type HeadFeed, startHeadFeed } from '../../../ops/indexer/heads/head-feed.ts'
import { startSilentServer } from '../../support/silent-server.ts'
import { type FakeNode, startFakeNode } from './fake-node.ts'
import { aHeader } from './headers.ts'

let node: FakeNode
let feed: HeadFeed | undefined
let subscriber: WebSocket | undefined
const said: string[] = []
beforeEach(async () => {
  said.length = 0
  node = await startFakeNode(aHeader(1))
})
afterEach(async () => {
  subscriber?.terminate()
  await feed?.stop()
  await node.stop()
})

async function startFeed(socketUrl: string | null, pollingIntervalMs = 100): Promise<HeadFeed> {
  feed = await startHeadFeed({ rpcUrl: node.rpcUrl, socketUrl, pollingIntervalMs, log: (line) => said.push(line) })
  return feed
}

/** Subscribes as Ponder does. @returns every message that came */
async function subscribe({ url }: HeadFeed): Promise<{ heads: BlockHeader[]; others: unknown[] }> {
  const messages = { heads: [] as BlockHeader[], others: [] as unknown[] }
  const socket = new WebSocket(url, { handshakeTimeout: 1_000, maxPayload: 100_000 })
  subscriber = socket
  socket.on('message', (data) => {
    const message = JSON.parse(data.toString('utf8'))
    if (message.method === 'eth_subscription') messages.heads.push(message.params.result)
    else messages.others.push(message)
  })
  await once(socket, 'open')
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }))
  return messages
}

const heightsOf = (heads: readonly BlockHeader[]) => [...new Set(heads.map(({ number }) => Number(number)))]

describe('the feed of heads', () => {
  it('given a chain that stands still, then a subscriber gets its head at once, and again', async () => {
    const started = await startFeed(node.socketUrl)
    const { heads, others } = await subscribe(started)
    await expect.poll(() => heads.length).toBeGreaterThan(2)
    expect(heightsOf(heads)).toEqual([1])
    expect(others).toEqual([{ jsonrpc: '2.0', id: 1, result: '0x1' }])
  })

  it('given the node’s socket tells a block, then it is sent without a poll', async () => {
    const { heads } = await subscribe(await startFeed(node.socketUrl, 60_000))
    await expect.poll(() => heightsOf(heads)).toEqual([1])
    await expect.poll(node.opened).toBe(1)
    node.tell(aHeader(2))
    node.tell(aHeader(3))
    await expect.poll(() => heightsOf(heads)).toEqual([1, 2, 3])
  })

  it('given no socket, then polls find the blocks', async () => {
    const { heads } = await subscribe(await startFeed(null))
    await expect.poll(() => heightsOf(heads)).toEqual([1])
    node.setHead(aHeader(2))
    await expect.poll(() => heightsOf(heads)).toEqual([1, 2])
  })

  it('given an open socket that tells nothing, then a poll finds the block and the socket is renewed', async () => {
    const { heads } = await subscribe(await startFeed(node.socketUrl))
    await expect.poll(() => heightsOf(heads)).toEqual([1])
    await expect.poll(node.opened).toBe(1)
    node.setHead(aHeader(2))
    await expect.poll(() => heightsOf(heads)).toEqual([1, 2])
    await expect.poll(node.opened).toBe(2)
    expect(said).toEqual(['the node’s socket did not tell block 2; it is opened again'])
    node.tell(aHeader(3))
    await expect.poll(() => heightsOf(heads)).toEqual([1, 2, 3])
  })

  it('given a socket that is cut, then polls go on and it is opened again', async () => {
    const { heads } = await subscribe(await startFeed(node.socketUrl))
    await expect.poll(node.opened).toBe(1)
    node.cut()
    node.setHead(aHeader(2))
    await expect.poll(() => heightsOf(heads)).toContain(2)
    await expect.poll(node.opened).toBe(2)
  })

  it('given a socket that accepts and never answers, or none at all, then polls find the blocks', async () => {
    const silent = await startSilentServer()
    try {
      const { heads } = await subscribe(await startFeed(`ws://127.0.0.1:${silent.port}`))
      node.setHead(aHeader(2))
      await expect.poll(() => heightsOf(heads)).toContain(2)
    } finally {
      await silent.stop()
    }
    node.setHead(aHeader(3))
    await feed?.stop()
    const { heads } = await subscribe(await startFeed(`ws://127.0.0.1:${silent.port}`))
    await expect.poll(() => heightsOf(heads)).toEqual([3])
  })

  it('given messages that are no heads, then they are passed over', async () => {
    const { heads } = await subscribe(await startFeed(node.socketUrl))
    await expect.poll(() => heightsOf(heads)).toEqual([1])
    await expect.poll(node.opened).toBe(1)
    for (const text of ['', 'null', '[]', '{"method":"eth_subscription"}', '{"method":"eth_subscription","params":1}'])
      node.send(text)
    node.tell({ ...aHeader(9), number: 'nine' })
    node.tell(aHeader(2))
    await expect.poll(() => heightsOf(heads)).toEqual([1, 2])
  })

  it('given other requests of a subscriber, then they are answered as errors', async () => {
    const { others } = await subscribe(await startFeed(node.socketUrl))
    subscriber?.send('{"id":7,"method":"eth_blockNumber"}')
    subscriber?.send('not JSON')
    subscriber?.send('{"id":8,"method":"eth_unsubscribe","params":["0x1"]}')
    await expect
      .poll(() => others)
      .toEqual([
        { jsonrpc: '2.0', id: 1, result: '0x1' },
        { jsonrpc: '2.0', id: 7, error: { code: -32601, message: 'method not found' } },
        { jsonrpc: '2.0', id: null, error: { code: -32601, message: 'method not found' } },
        { jsonrpc: '2.0', id: 8, result: true },
      ])
  })
})
