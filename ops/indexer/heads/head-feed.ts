import { setTimeout as pause } from 'node:timers/promises'
import { type BlockHeader, heightOf, parseHeader } from './block-header.ts'
import { createHeadOrder } from './head-order.ts'
import { startHeadServer } from './head-server.ts'
import { subscribeToHeads } from './head-subscription.ts'

export interface HeadFeedOptions {
  rpcUrl: string
  /** WebSocket URL of the node; null to find new blocks only by polling. */
  socketUrl: string | null
  /** Poll interval in milliseconds while no socket is open or the socket has missed a block. */
  pollingIntervalMs: number
  log: (line: string) => void
}

/** A local WebSocket server from which Ponder receives the headers of new blocks. */
export interface HeadFeed {
  url: string
  stop(): Promise<void>
}

/** Minimum poll interval in milliseconds while the socket delivers every block. */
const SLOW_POLL_MS = 1_000
/** Wait in milliseconds before the latest header is sent again. The wait doubles each time, up to `SLOW_POLL_MS`. */
const FIRST_REPEAT_MS = 50

/**
 * Starts a feed of new block headers from two sources: the node's socket, and polls. Each block is taken from the
 * source that delivers it first. Ponder's own subscription does not notice a silent socket or a halted chain, and ends
 * permanently after nine errors.
 *
 * If a poll finds a block that the socket did not deliver, the feed opens the socket again. A silent socket therefore
 * delays only one block, by at most one poll.
 *
 * Ponder skips a header that removes blocks from the chain (a reorg), and a header of a block whose logs the node does
 * not have yet. The feed therefore sends the latest header repeatedly.
 */
export async function startHeadFeed({ rpcUrl, socketUrl, pollingIntervalMs, log }: HeadFeedOptions): Promise<HeadFeed> {
  const server = await startHeadServer()
  const order = createHeadOrder()
  const stopController = new AbortController()
  let repeatTimer: NodeJS.Timeout | undefined

  const send = (header: BlockHeader, repeatMs = FIRST_REPEAT_MS): void => {
    server.send(header)
    clearTimeout(repeatTimer)
    repeatTimer = setTimeout(() => send(header, Math.min(repeatMs * 2, SLOW_POLL_MS)), repeatMs)
  }
  /** True if the socket has delivered every polled block since the socket was opened. */
  let isTrusted = true
  const onHead = (header: BlockHeader): void => {
    isTrusted = true
    if (order.tell(header)) send(header)
  }
  const subscription = socketUrl === null ? null : subscribeToHeads({ url: socketUrl, onHead })

  const poll = async (): Promise<void> => {
    /** A block that a poll found and that the open socket has not delivered yet; null if there is no such block. */
    let untoldBlock: { height: bigint; toldCount: number } | null = null
    while (!stopController.signal.aborted) {
      const toldCount = order.toldCount()
      const isFirst = order.current() === null
      const header = await readHead(rpcUrl, stopController.signal)
      if (stopController.signal.aborted) return
      if (untoldBlock !== null && untoldBlock.toldCount === order.toldCount()) {
        log(`the node’s socket did not tell block ${untoldBlock.height}; it is opened again`)
        subscription?.renew()
        isTrusted = false
      }
      untoldBlock = null
      if (header !== null && order.poll(header, toldCount)) {
        send(header)
        if (!isFirst && subscription?.isOpen()) untoldBlock = { height: heightOf(header), toldCount }
      }
      const isSlow = subscription?.isOpen() === true && isTrusted
      const pauseMs = isSlow ? Math.max(SLOW_POLL_MS, pollingIntervalMs) : pollingIntervalMs
      await pause(pauseMs, undefined, { signal: stopController.signal }).catch(() => {})
    }
  }
  const pollLoop = poll()
  return {
    url: server.url,
    stop: async () => {
      stopController.abort()
      subscription?.stop()
      clearTimeout(repeatTimer)
      await pollLoop
      clearTimeout(repeatTimer)
      await server.stop()
    },
  }
}

const REQUEST_TIMEOUT_MS = 5_000
const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['latest', false] })

/** Reads the latest block header of a node. Returns null if the node does not return a header. */
async function readHead(rpcUrl: string, stopSignal: AbortSignal): Promise<BlockHeader | null> {
  try {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: request,
      signal: AbortSignal.any([stopSignal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    })
    const { result } = (await response.json()) as { result?: unknown }
    return parseHeader(result)
  } catch {
    return null
  }
}
