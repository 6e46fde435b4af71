import { BaseError, HttpRequestError, RpcRequestError, TimeoutError } from 'viem'
import { withTimeout } from '../concurrency/with-timeout.ts'
import { type Chain, ChainUnavailable } from './chain.ts'

/** Code of JSON-RPC for a call that was run and reverted: the chain has answered. */
const REVERTED = 3

/** How long a start waits for the checks, milliseconds: reads are served without them. */
const CHECK_TIMEOUT_MS = 3_000

/** The gate that opens once the chain was seen to be ours. Before that no write is admitted and nothing is relayed. */
export interface ChainGate {
  isOpen(): boolean
  /**
   * Makes the checks, unless they were passed before. While no node answers the gate stays closed; checks that take long
   * are not waited for, and open it when they are passed.
   * @throws when a node has answered, and the chain is another one
   */
  tryOpen(): Promise<void>
}

/**
 * A process may start while no node answers: it serves reads from the rows, and makes its checks later.
 * @param options.check throws when the chain is another one, or no node answers
 */
export function createChainGate(options: {
  check: () => Promise<void>
  log: { warn(facts: object, message: string): void; info(facts: object, message: string): void }
}): ChainGate {
  let isOpen = false
  let isLogged = false
  let checking: Promise<true> | null = null
  const check = async (): Promise<true> => {
    await options.check()
    isOpen = true
    if (isLogged) options.log.info({}, 'the chain was checked; writes are admitted')
    return true
  }
  return {
    isOpen: () => isOpen,
    tryOpen: async () => {
      if (isOpen) return
      try {
        checking ??= check().finally(() => {
          checking = null
        })
        if ((await withTimeout(checking, CHECK_TIMEOUT_MS)) === null) {
          throw new ChainUnavailable(`the checks of the chain took longer than ${CHECK_TIMEOUT_MS} ms`)
        }
      } catch (error) {
        if (!isWithoutAnswer(error)) throw error
        if (!isLogged)
          options.log.warn(
            { setting: 'RPC_URL', err: error },
            'no node answers: reads are served, and writes are refused',
          )
        isLogged = true
      }
    },
  }
}

/** The port that refuses to tell a head to writes while the gate is closed. */
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
