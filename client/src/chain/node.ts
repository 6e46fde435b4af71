import type { Hex } from 'viem'
import type { Provider } from '../account/account.ts'
import { readBoundedText } from '../http/bounded-text.ts'
import { isRecord } from '../http/shape.ts'

/**
 * A function that calls a node by JSON-RPC. The result is never null or undefined.
 * @throws CallReverted when the call reverted; Error when the node gives no result. If the node returned an error,
 * `cause` contains the node's error.
 */
export type AskNode = (method: string, params: unknown[]) => Promise<unknown>

/** Thrown when the node ran a call that reverted. `data` is the revert data; null if the node returned none. */
export class CallReverted extends Error {
  readonly data: Hex | null

  constructor(data: unknown) {
    super('The call would revert.')
    this.data = toHex(data)
  }
}

const TIMEOUT_MS = 10_000

/**
 * Returns a function that calls the node at `rpcUrl`, or else the browser wallet's node; null if both are absent. An
 * empty URL counts as absent.
 */
export function nodeOf({ rpcUrl, provider }: { rpcUrl?: string; provider?: Provider }): AskNode | null {
  if (rpcUrl !== undefined && rpcUrl !== '') return nodeOfUrl(rpcUrl)
  return provider === undefined ? null : nodeOfProvider(provider)
}

/** Returns a function that sends JSON-RPC requests to the chain's node at the URL. */
export function nodeOfUrl(url: string, fetch = globalThis.fetch): AskNode {
  return async (method, params) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const { result, error } = parseAnswer(await readBoundedText(response))
    return resultOf(method, result, error)
  }
}

/** Returns a function that calls the node to which a browser wallet is connected. */
export function nodeOfProvider(provider: Provider): AskNode {
  return async (method, params) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const silence = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`The wallet did not answer ${method}.`)), TIMEOUT_MS)
    })
    let result: unknown
    try {
      result = await Promise.race([provider.request({ method, params }), silence])
    } catch (error) {
      return resultOf(method, undefined, errorOf(error))
    } finally {
      clearTimeout(timer)
    }
    return resultOf(method, result, null)
  }
}

interface NodeError {
  code?: unknown
  message?: unknown
  data?: unknown
}

function resultOf(method: string, result: unknown, error: NodeError | null | undefined): unknown {
  // EIP-1474 code 3 is a revert; some nodes report it only in the message.
  if (error?.code === 3 || /revert/i.test(String(error?.message))) throw new CallReverted(error?.data)
  // A node's URL may contain a key, so no message contains the URL.
  if (result === undefined || result === null)
    throw new Error(`The node refused ${method}: ${error?.message}.`, { cause: error })
  return result
}

/** Extracts the node's error from a wallet's error, because wallets nest the node's error at different depths. */
function errorOf(error: unknown): NodeError {
  if (!isRecord(error)) return { message: String(error) }
  const { code, message, data } = error as NodeError
  if (!isRecord(data)) return { code, message, data }
  const { originalError } = data
  const inner = (isRecord(originalError) ? originalError : data) as NodeError
  return { code: inner.code ?? code, message: inner.message ?? message, data: inner.data }
}

interface NodeAnswer {
  result?: unknown
  error?: NodeError | null
}

function parseAnswer(text: string): NodeAnswer {
  const answer: unknown = JSON.parse(text)
  if (isRecord(answer)) return answer
  throw new Error('The node answered no JSON-RPC.')
}

/** Returns the value if it is hex data of at least one byte, else null. */
export function toHex(value: unknown): Hex | null {
  return typeof value === 'string' && /^0x(?:[0-9a-f]{2})+$/i.test(value) ? (value as Hex) : null
}
