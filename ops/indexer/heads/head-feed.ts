import { setTimeout as pause } from 'node:timers/promises'
import { type BlockHeader, heightOf, parseHeader } from './block-header.ts'
import { createHeadOrder } from './head-order.ts'
import { startHeadServer } from './head-server.ts'
import { subscribeToHeads } from './head-subscription.ts'

export interface HeadFeedOptions {
  rpcUrl: string
  /** The node's WebSocket; null: there is none, and polls alone find heads. */
  socketUrl: string | null
  /** Poll interval without a socket that tells every block, milliseconds. */
  pollingIntervalMs: number
  log: (line: string) => void
}

/** New heads of the chain for Ponder, by a WebSocket on this machine. */
export interface HeadFeed {
  url: string
  stop(): Promise<void>
}

/** Poll interval while the socket tells every block, milliseconds. */
const SLOW_POLL_MS = 1_000
/** Wait before a head is sent again, milliseconds: doubled each time, up to the slow poll's interval. */
const FIRST_REPEAT_MS = 50

/**
 * Ponder's own subscription to a node does not notice a socket that is silent, hears nothing of a chain that stands
 * still, and ends for good after nine errors; without one Ponder polls whole blocks. So it gets its heads from here, of
 * whichever is first, the node's socket or a poll. A socket that did not tell what a poll found is renewed: its
 * silence costs one poll. Heads are sent again and again, as polls would: Ponder lets a head pass that undid blocks, or
 * whose logs the node did not have yet, and waits for the next.
 */
export async function startHeadFeed({ rpcUrl, socketUrl, pollingIntervalMs, log }: HeadFeedOptions): Promise<HeadFeed> {
  const server = await startHeadServer()
  const order = createHeadOrder()
  const stopping = new AbortController()
  let repeatTimer: NodeJS.Timeout | undefined

  const send = (header: BlockHeader, repeatMs = FIRST_REPEAT_MS): void => {
    server.send(header)
    clearTimeout(repeatTimer)
    repeatTimer = setTimeout(() => send(header, Math.min(repeatMs * 2, SLOW_POLL_MS)), repeatMs)
  }
  /** Since it was opened it told every block that a poll found. */
  let isTrusted = true
  const onHead = (header: BlockHeader): void => {
    isTrusted = true
    if (order.tell(header)) send(header)
  }
  const subscription = socketUrl === null ? null : subscribeToHeads({ url: socketUrl, onHead })

  const poll = async (): Promise<void> => {
    /** What a poll found and the open socket had not told by then. */
    let untold: { height: bigint; toldCount: number } | null = null
    while (!stopping.signal.aborted) {
      const toldCount = order.toldCount()
      const isFirst = order.current() === null
      const header = await readHead(rpcUrl, stopping.signal)
      if (stopping.signal.aborted) return
      if (untold !== null && untold.toldCount === order.toldCount()) {
        log(`the node’s socket did not tell block ${untold.height}; it is opened again`)
        subscription?.renew()
        isTrusted = false
      }
      untold = null
      if (header !== null && order.poll(header, toldCount)) {
        send(header)
        if (!isFirst && subscription?.isOpen()) untold = { height: heightOf(header), toldCount }
      }
      const isSlow = subscription?.isOpen() === true && isTrusted
      const pauseMs = isSlow ? Math.max(SLOW_POLL_MS, pollingIntervalMs) : pollingIntervalMs
      await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }
  const polling = poll()
  return {
    url: server.url,
    stop: async () => {
      stopping.abort()
      subscription?.stop()
      clearTimeout(repeatTimer)
      await polling
      clearTimeout(repeatTimer)
      await server.stop()
    },
  }
}

const REQUEST_TIMEOUT_MS = 5_000
const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getBlockByNumber', params: ['latest', false] })

/** The newest header of a node; null while it gives none. */
async function readHead(rpcUrl: string, stopping: AbortSignal): Promise<BlockHeader | null> {
  try {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: request,
      signal: AbortSignal.any([stopping, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    })
    const { result } = (await response.json()) as { result?: unknown }
    return parseHeader(result)
  } catch {
    return null
  }
}
