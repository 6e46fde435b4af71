import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Hex, hexToNumber, keccak256, numberToHex, toHex } from 'viem'

/** How a fake node takes its requests. */
export interface FakeNode {
  url: string
  /** Height of its newest block. */
  height: number
  /** From this height on its blocks are another chain's. */
  forkedFrom: number | null
  chainId: number
  mood: 'answers' | 'hangs' | 'refuses' | 'limits' | 'errors'
  /** The error that it answers `eth_call` and `eth_getLogs` with. */
  callError: null | { status?: number; code: number; message: string }
  /** Methods that reached it, in order. */
  asked: string[]
  /** Called before each answer. */
  onAsk: () => void
  close(): void
}

/** Starts a node that serves the blocks of a chain without transactions, as a test sets it. */
export async function aFakeNode(
  changes: Partial<Pick<FakeNode, 'height' | 'forkedFrom' | 'mood'>> = {},
): Promise<FakeNode> {
  const server = createServer(async (request, response) => {
    const { id, method, params } = JSON.parse(await text(request)) as { id: number; method: string; params: unknown[] }
    node.asked.push(method)
    node.onAsk()
    switch (node.mood) {
      case 'hangs':
        return
      case 'refuses':
        request.socket.resetAndDestroy()
        return
      case 'limits':
        response.writeHead(429, { 'Retry-After': '30' }).end()
        return
      case 'errors':
        response.writeHead(500).end('broken')
        return
      case 'answers':
        if (node.callError !== null && ['eth_call', 'eth_getLogs'].includes(method)) {
          const { status = 200, ...error } = node.callError
          response.writeHead(status).end(JSON.stringify({ jsonrpc: '2.0', id, error }))
          return
        }
        response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answerOf(node, method, params) }))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const node: FakeNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    height: 100,
    forkedFrom: null,
    chainId: 8453,
    mood: 'answers',
    callError: null,
    asked: [],
    onAsk: () => {},
    close: () => {
      server.close()
      server.closeAllConnections()
    },
    ...changes,
  }
  return node
}

/** The hash of a node's block. */
export function hashOf(node: Pick<FakeNode, 'forkedFrom' | 'chainId'>, height: number): Hex {
  const isForked = node.forkedFrom !== null && height >= node.forkedFrom
  return keccak256(toHex(`${node.chainId} ${isForked ? node.forkedFrom : ''} ${height}`))
}

function answerOf(node: FakeNode, method: string, params: unknown[]): { result: unknown } | { error: object } {
  const [param] = params
  const { blockHash } = (params[1] ?? {}) as { blockHash?: Hex }
  if (blockHash !== undefined && !hasBlock(node, blockHash)) {
    return { error: { code: -32_000, message: 'header for hash not found' } }
  }
  switch (method) {
    case 'eth_chainId':
      return { result: numberToHex(node.chainId) }
    case 'eth_getBlockByNumber': {
      const height = param === 'latest' ? node.height : hexToNumber(param as Hex)
      if (height > node.height) return { result: null }
      const [hash, parentHash] = [hashOf(node, height), hashOf(node, height - 1)]
      return { result: { number: numberToHex(height), hash, parentHash, timestamp: numberToHex(height * 2) } }
    }
    case 'eth_getBlockByHash':
      return { result: hasBlock(node, param as Hex) ? { hash: param } : null }
    case 'eth_getLogs':
      return { result: [] }
    // Tells which node answered.
    default:
      return { result: node.url }
  }
}

/** Whether it is one of the newest blocks. */
function hasBlock(node: FakeNode, hash: Hex): boolean {
  return Array.from({ length: 10 }, (_, depth) => hashOf(node, node.height - depth)).includes(hash)
}
