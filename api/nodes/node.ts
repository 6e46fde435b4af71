import { type Hex, HttpRequestError, ResponseBodyTooLargeError, TimeoutError } from 'viem'
import { exchange, type RpcAnswer, type RpcRequest } from './exchange.ts'
import type { NodeHead } from './judge-nodes.ts'
import { isLimit } from './node-trouble.ts'

/** The time limit for a request of logs, in milliseconds. */
const LOGS_TIMEOUT_MS = 10_000
/**
 * The pause in milliseconds after the first 429 answer without `Retry-After`. Each further 429 answer doubles the
 * pause.
 */
const FIRST_PAUSE_MS = 1_000

export const failures = ['timeout', 'limit', 'error'] as const
/** The reason why a request got no answer: the time limit, a request limit of the node (429), or any other error. */
export type Failure = (typeof failures)[number]

/** One node in the list of a chain's nodes. */
export interface RpcNode {
  url: string
  /** Returns true if the node answered the last request and is not paused. */
  isAnswering(): boolean
  /**
   * Returns true while the node is paused. A pause starts when the node reports a request limit, for example with a 429
   * answer.
   */
  isPaused(): boolean
  /** Returns the number of failed requests by reason, counted from the start of the process. */
  failureCounts(): Readonly<Record<Failure, number>>
  /**
   * Sends a request.
   * @throws viem's errors when the node gives no answer
   */
  ask(body: RpcRequest): Promise<RpcAnswer>
  /** Returns the hash of the node's block at a height. Null if the node has no such block or gives no answer. */
  findHash(height: bigint): Promise<Hex | null>
  /** Returns the header of the node's newest block; null if the node gives no answer. */
  findHead(): Promise<NodeHead | null>
  /** Returns the node's chain id; null if the node gives no answer. */
  findChainId(): Promise<number | null>
}

export interface NodeLimits {
  /** The time limit for an answer, in milliseconds. */
  timeoutMs: number
  /**
   * The longest pause of the node in seconds. The node is paused after it reports a request limit, for example with a
   * 429 answer.
   */
  longestPause: number
  /** True if the set has only this node. */
  isOnly: boolean
}

/** Creates the access to one node. The access also records whether the node answers. */
export function createNode(url: string, { timeoutMs, longestPause, isOnly }: NodeLimits): RpcNode {
  const counts: Record<Failure, number> = { timeout: 0, limit: 0, error: 0 }
  let isAnswering = true
  let pausedUntil = 0
  let nextPauseMs = FIRST_PAUSE_MS
  let hangingRequests = new AbortController()

  const noteFailure = (failure: Failure, pauseMs: number | null): void => {
    isAnswering = false
    counts[failure] += 1
    if (failure === 'limit') {
      pausedUntil = performance.now() + (pauseMs ?? nextPauseMs)
      nextPauseMs = Math.min(nextPauseMs * 2, longestPause * 1000)
    }
    if (failure === 'timeout' && !isOnly) {
      // The others that wait for this node are sent to the next one.
      hangingRequests.abort()
      hangingRequests = new AbortController()
    }
  }
  const ask = async (body: RpcRequest): Promise<RpcAnswer> => {
    const hangSignal = hangingRequests.signal
    const timeout = body.method === 'eth_getLogs' ? LOGS_TIMEOUT_MS : timeoutMs
    try {
      const answer = await exchange({ url, body, timeout, signal: hangSignal, longestPause })
      if (isRefused(answer)) noteFailure('limit', answer.pauseSeconds === undefined ? null : answer.pauseSeconds * 1000)
      else {
        isAnswering = true
        nextPauseMs = FIRST_PAUSE_MS
      }
      return answer
    } catch (error) {
      // A too large answer says nothing about the node.
      if (!hangSignal.aborted && !(error instanceof ResponseBodyTooLargeError))
        noteFailure(failureOf(error), pauseOf(error))
      throw error
    }
  }
  const find = async (body: RpcRequest): Promise<unknown> => {
    try {
      return (await ask(body)).result ?? null
    } catch {
      return null
    }
  }
  return {
    url,
    ask,
    isAnswering: () => isAnswering && performance.now() >= pausedUntil,
    isPaused: () => performance.now() < pausedUntil,
    failureCounts: () => counts,
    findHash: async (height) =>
      toHead(await find({ method: 'eth_getBlockByNumber', params: [`0x${height.toString(16)}`, false] }))?.hash ?? null,
    findHead: async () => toHead(await find({ method: 'eth_getBlockByNumber', params: ['latest', false] })),
    findChainId: async () => {
      const id = await find({ method: 'eth_chainId', params: [] })
      return typeof id === 'string' && /^0x[0-9a-f]{1,12}$/i.test(id) ? Number(id) : null
    },
  }
}

/** Reads the block header from a block in JSON-RPC form. Null if the value is not a block. */
export function toHead(block: unknown): NodeHead | null {
  const { number, hash, parentHash, timestamp } = (block ?? {}) as Record<string, unknown>
  if (!isQuantity(number) || !isQuantity(timestamp) || !isHash(hash) || !isHash(parentHash)) return null
  return { number: BigInt(number), timestamp: BigInt(timestamp), hash, parentHash }
}

export function isQuantity(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-f]{1,16}$/i.test(value)
}

function isHash(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-f]{64}$/i.test(value)
}

/** Returns true if the HTTP status or the JSON-RPC error of the answer reports a request limit. */
function isRefused({ status, error }: RpcAnswer): boolean {
  return status === 429 || (error != null && isLimit(error))
}

function failureOf(error: unknown): Failure {
  if (error instanceof TimeoutError) return 'timeout'
  return error instanceof HttpRequestError && error.status === 429 ? 'limit' : 'error'
}

/** Returns the pause in milliseconds that the answer demands. Null if the answer demands no pause. */
function pauseOf(error: unknown): number | null {
  const retryAfter = error instanceof HttpRequestError ? error.headers?.get('Retry-After') : null
  return retryAfter == null ? null : Number(retryAfter) * 1000
}
