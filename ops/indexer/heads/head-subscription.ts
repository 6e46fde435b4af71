import { WebSocket } from 'ws'
import { type BlockHeader, parseHeader } from './block-header.ts'

export interface HeadSubscriptionOptions {
  /** WebSocket URL of a node, ws:// or wss://. */
  url: string
  onHead: (header: BlockHeader) => void
}

/** A subscription to the new block headers of a node. The subscription is opened again whenever the connection ends. */
export interface HeadSubscription {
  isOpen(): boolean
  /** Closes a connection that is open but silent. A new connection is opened. */
  renew(): void
  stop(): void
}

const HANDSHAKE_TIMEOUT_MS = 5_000
/** Maximum size of a message, in bytes. Block headers have a few kilobytes. */
const LARGEST_MESSAGE_BYTES = 1_048_576
/**
 * Wait in milliseconds before a new connection. If a connection delivers no block header, the next wait is twice as
 * long, up to `LONGEST_WAIT_MS`.
 */
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 30_000

const subscribeRequest = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] })

export function subscribeToHeads({ url, onHead }: HeadSubscriptionOptions): HeadSubscription {
  let socket: WebSocket | null = null
  let waitMs = FIRST_WAIT_MS
  let timer: NodeJS.Timeout | undefined
  let isOpen = false
  let isStopped = false

  const connect = (): void => {
    const connection = new WebSocket(url, { handshakeTimeout: HANDSHAKE_TIMEOUT_MS, maxPayload: LARGEST_MESSAGE_BYTES })
    socket = connection
    connection.on('open', () => {
      isOpen = true
      connection.send(subscribeRequest)
    })
    connection.on('message', (data) => {
      const header = readHead(data)
      if (header === null || isStopped) return
      waitMs = FIRST_WAIT_MS
      onHead(header)
    })
    // The event `close` follows.
    connection.on('error', () => {})
    connection.on('close', () => {
      isOpen = false
      if (isStopped) return
      timer = setTimeout(connect, waitMs)
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
    })
  }
  connect()
  return {
    isOpen: () => isOpen,
    renew: () => socket?.terminate(),
    stop: () => {
      isStopped = true
      clearTimeout(timer)
      socket?.terminate()
    },
  }
}

/** Returns the block header in a notification; null for any other message. */
function readHead(data: Buffer): BlockHeader | null {
  try {
    const message = JSON.parse(data.toString('utf8')) as { method?: unknown; params?: { result?: unknown } } | null
    return message?.method === 'eth_subscription' ? parseHeader(message.params?.result) : null
  } catch {
    return null
  }
}
