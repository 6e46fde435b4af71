import { BaseError, HttpRequestError, RpcRequestError, TimeoutError } from 'viem'
import { withTimeout } from '../concurrency/with-timeout.ts'
import { type Chain, ChainUnavailable } from './chain.ts'

/** The JSON-RPC error code of a reverted call. A revert is a valid answer of the node. */
const REVERTED = 3

/** The longest time in milliseconds for which the start of the process waits for the checks of the chain. */
const CHECK_TIMEOUT_MS = 3_000

/** A gate that opens once the chain was checked. Until then no write is admitted and nothing is relayed. */
export interface ChainGate {
  isOpen(): boolean
  /**
   * Runs the checks, unless they already passed. If no node answers, the gate stays closed. If the checks are slow,
   * this call returns early, and the gate opens later.
   * @throws when a node answered and the chain is not the deployment's
   */
  tryOpen(): Promise<void>
}

/**
 * Creates the gate. With a gate, a process can start before a node answers. The process then serves reads from the
 * database, and checks the chain later.
 * @param options.check throws when the chain is not the deployment's, or when no node answers
 */
export function createChainGate(options: {
  check: () => Promise<void>
  log: { warn(facts: object, message: string): void; info(facts: object, message: string): void }
}): ChainGate {
  let isOpen = false
  let isLogged = false
  let runningCheck: Promise<true> | null = null
  const check = async (): Promise<true> => {
    await options.check()
    isOpen = true
    if (isLogged) options.log.info({}, 'chain checked')
    return true
  }
  return {
    isOpen: () => isOpen,
    tryOpen: async () => {
      if (isOpen) return
      try {
        runningCheck ??= check().finally(() => {
          runningCheck = null
        })
        if ((await withTimeout(runningCheck, CHECK_TIMEOUT_MS)) === null) {
          throw new ChainUnavailable(`the checks of the chain took longer than ${CHECK_TIMEOUT_MS} ms`)
        }
      } catch (error) {
        if (!isWithoutAnswer(error)) throw error
        if (!isLogged) options.log.warn({ setting: 'RPC_URL', err: error }, 'node unavailable at start')
        isLogged = true
      }
    },
  }
}

/**
 * Returns the chain port with a guard. While the gate is closed, the functions that read the latest or the confirmed
 * block for writes throw `ChainUnavailable`.
 */
export function guardedBy(gate: Pick<ChainGate, 'isOpen'>, chain: Chain): Chain {
  const refuse = () => Promise.reject(new ChainUnavailable('the chain was not checked yet'))
  return {
    ...chain,
    latestHead: () => (gate.isOpen() ? chain.latestHead() : refuse()),
    confirmedHead: () => (gate.isOpen() ? chain.confirmedHead() : refuse()),
    latestClocks: () => (gate.isOpen() ? chain.latestClocks() : refuse()),
  }
}

function isWithoutAnswer(error: unknown): boolean {
  if (error instanceof ChainUnavailable) return true
  if (!(error instanceof BaseError)) return false
  const cause = error.walk(
    (inner) => inner instanceof HttpRequestError || inner instanceof TimeoutError || inner instanceof RpcRequestError,
  )
  return cause !== null && !(cause instanceof RpcRequestError && cause.code === REVERTED)
}
