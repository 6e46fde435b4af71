import type { Hex } from 'viem'
import type { Provider } from '../account/account.ts'
import { readBoundedText } from '../http/bounded-text.ts'
import { isRecord } from '../http/shape.ts'

/**
 * Calls a node by JSON-RPC; the result is never null or undefined.
 * @throws CallReverted when the node ran a call that reverted; Error when it does not answer or returns an error, which is the
 * `cause` (undefined for an answer without a result)
 */
export type AskNode = (method: string, params: unknown[]) => Promise<unknown>

/** A call that the node ran, and that reverted. `data`: the revert data; null where the node omits it. */
export class CallReverted extends Error {
  readonly data: Hex | null

  constructor(data: unknown) {
    super('The call would revert.')
    this.data = toHex(data)
  }
}

const TIMEOUT_MS = 10_000

/**
 * Returns the node of a URL or a browser wallet; null: neither is present. An empty URL, such as an empty environment variable,
 * counts as absent.
 */
export function nodeOf({ rpcUrl, provider }: { rpcUrl?: string; provider?: Provider }): AskNode | null {
  if (rpcUrl !== undefined && rpcUrl !== '') return nodeOfUrl(rpcUrl)
  return provider === undefined ? null : nodeOfProvider(provider)
}

/** Returns a function that calls the node of a URL. */
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

/** Returns a function that calls the node of a browser wallet. */
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

/** Finds the node's error, which wallets nest at different depths. */
function errorOf(error: unknown): NodeError {
  if (!isRecord(error)) return { message: String(error) }
  const { code, message, data } = error as NodeError
  if (!isRecord(data)) return { code, message, data }
  const inner = (isRecord(data['originalError']) ? data['originalError'] : data) as NodeError
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

/** Returns hex data of an answer; null: the answer is no hex text. */
export function toHex(value: unknown): Hex | null {
  return typeof value === 'string' && /^0x(?:[0-9a-f]{2})+$/i.test(value) ? (value as Hex) : null
}
