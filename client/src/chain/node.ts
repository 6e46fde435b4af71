import type { Hex } from 'viem'
import type { Provider } from '../account/account.ts'
import { readBoundedText } from '../http/bounded-text.ts'
import { isRecord } from '../http/shape.ts'

/**
 * Asks a node by JSON-RPC; never null or undefined.
 * @throws CallReverted when the node ran a call that reverted; Error when it does not answer, or refuses: its error is then
 * the `cause`, undefined where it has no result
 */
export type AskNode = (method: string, params: unknown[]) => Promise<unknown>

/** The node ran a call, and it reverted. `data`: what the contract reverted with; null where the node does not say it. */
export class CallReverted extends Error {
  readonly data: Hex | null

  constructor(data: unknown) {
    super('The call would revert.')
    this.data = toHex(data)
  }
}

const TIMEOUT_MS = 10_000

/** The node of a URL or a wallet; null: neither is given. An empty variable of the environment names none. */
export function nodeOf({ rpcUrl, provider }: { rpcUrl?: string; provider?: Provider }): AskNode | null {
  if (rpcUrl !== undefined && rpcUrl !== '') return nodeOfUrl(rpcUrl)
  return provider === undefined ? null : nodeOfProvider(provider)
}

/** The node of a URL. */
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

/** The node behind a wallet of a browser. */
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
  // By the standard of the calls 3 is a revert; not every node says so.
  if (error?.code === 3 || /revert/i.test(String(error?.message))) throw new CallReverted(error?.data)
  // A node's address may have a key in it: it is in no message.
  if (result === undefined || result === null)
    throw new Error(`The node refused ${method}: ${error?.message}.`, { cause: error })
  return result
}

/** Wallets put the error of their node at different depths of their own. */
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

/** The data of an answer; null: there is none. */
export function toHex(value: unknown): Hex | null {
  return typeof value === 'string' && /^0x(?:[0-9a-f]{2})+$/i.test(value) ? (value as Hex) : null
}
