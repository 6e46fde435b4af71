import { type Hex, HttpRequestError, ResponseBodyTooLargeError, TimeoutError } from 'viem'
import { exchange, type RpcAnswer, type RpcRequest } from './exchange.ts'
import type { NodeHead } from './judge-nodes.ts'
import { isLimit } from './node-trouble.ts'

/** Time until the logs of many blocks are there, milliseconds. */
const LOGS_TIMEOUT_MS = 10_000
/** Pause after the first 429 that names none, milliseconds; it doubles. */
const FIRST_PAUSE_MS = 1_000

export const failures = ['timeout', 'limit', 'error'] as const
/** The reason of a request without an answer: its time was over, a limit of the node (429), or another one. */
export type Failure = (typeof failures)[number]

/** One node of a list. */
export interface RpcNode {
  url: string
  /** True when it answered the last request, and required no pause. */
  isAnswering(): boolean
  /** True during a pause that the node required. */
  isPaused(): boolean
  /** Requests without an answer since the start. */
  failureCounts(): Readonly<Record<Failure, number>>
  /** Sends a request. @throws viem's errors of a request without an answer */
  ask(body: RpcRequest): Promise<RpcAnswer>
  /** The hash of its block at a height; null: it has none, or gives no answer. */
  findHash(height: bigint): Promise<Hex | null>
  /** The header of its newest block; null: it gives none. */
  findHead(): Promise<NodeHead | null>
  /** The id of its chain; null: it gives no answer. */
  findChainId(): Promise<number | null>
}

export interface NodeLimits {
  /** Time until an answer is there, milliseconds. */
  timeoutMs: number
  /** The longest pause that the node may ask for, and that it gets without asking, seconds. */
  longestPause: number
  /** True if no other node exists. */
  isOnly: boolean
}

/** Creates the access to one node, which remembers whether it answers. */
export function createNode(url: string, { timeoutMs, longestPause, isOnly }: NodeLimits): RpcNode {
  const counts: Record<Failure, number> = { timeout: 0, limit: 0, error: 0 }
  let isAnswering = true
  let pausedUntil = 0
  let nextPauseMs = FIRST_PAUSE_MS
  let hanging = new AbortController()

  const noteFailure = (failure: Failure, pauseMs: number | null): void => {
    isAnswering = false
    counts[failure] += 1
    if (failure === 'limit') {
      pausedUntil = performance.now() + (pauseMs ?? nextPauseMs)
      nextPauseMs = Math.min(nextPauseMs * 2, longestPause * 1000)
    }
    if (failure === 'timeout' && !isOnly) {
      // The others that wait for this node are sent to the next one.
      hanging.abort()
      hanging = new AbortController()
    }
  }
  const ask = async (body: RpcRequest): Promise<RpcAnswer> => {
    const hung = hanging.signal
    const timeout = body.method === 'eth_getLogs' ? LOGS_TIMEOUT_MS : timeoutMs
    try {
      const answer = await exchange({ url, body, timeout, signal: hung, longestPause })
      if (isRefused(answer)) noteFailure('limit', answer.pauseSeconds === undefined ? null : answer.pauseSeconds * 1000)
      else {
        isAnswering = true
        nextPauseMs = FIRST_PAUSE_MS
      }
      return answer
    } catch (error) {
      // A too large answer says nothing about the node.
      if (!hung.aborted && !(error instanceof ResponseBodyTooLargeError)) noteFailure(failureOf(error), pauseOf(error))
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

/** Reads the header out of a block of JSON-RPC; null where it is none. */
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

/** A limit, by the status or by the error of JSON-RPC. */
function isRefused({ status, error }: RpcAnswer): boolean {
  return status === 429 || (error != null && isLimit(error))
}

function failureOf(error: unknown): Failure {
  if (error instanceof TimeoutError) return 'timeout'
  return error instanceof HttpRequestError && error.status === 429 ? 'limit' : 'error'
}

/** The pause that the answer names, milliseconds. */
function pauseOf(error: unknown): number | null {
  const retryAfter = error instanceof HttpRequestError ? error.headers?.get('Retry-After') : null
  return retryAfter == null ? null : Number(retryAfter) * 1000
}
