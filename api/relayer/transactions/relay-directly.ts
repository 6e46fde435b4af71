import { ChainUnavailable } from '../../chain/chain.ts'
import type { DirectCall, DirectRelay, DirectRelays } from '../../intents/direct-relay.ts'
import { insertAttempt } from './attempts.queries.ts'
import { gasLimitFor } from './fees.ts'
import { claimNonce } from './nonce-sequences.queries.ts'
import { SIMULATION_FRESH_MS } from './recent-simulations.ts'
import type { RelayContext } from './relay-context.ts'
import { listFundedRelayers } from './relayer-services.ts'
import { sendAttempt } from './send-attempt.ts'
import { signAttempt } from './sign-attempt.ts'

/**
 * The largest number of database transactions in this process that bind an intent and sign its call at the same time.
 * Each of them holds a database connection, and may wait for a locked nonce sequence.
 */
const CONCURRENCY = 4

/** The direct relays of this process. A direct relay sends a call at once, without the outbox. */
export interface RunningDirectRelays extends DirectRelays {
  /** Stops the planning of further direct relays, and waits until all signed transactions were sent. */
  stop(): Promise<void>
}

/**
 * Creates the direct relays. A direct relay signs a call in the database transaction that binds its intent, and sends
 * the call after the commit. The outbox relays the calls that cannot be signed now, such as calls for a remote signer.
 * @param isRelaying returns true if the nonce sequences of all relayers have been opened, so transactions can be signed
 */
export function createDirectRelays(relay: RelayContext, isRelaying: () => boolean): RunningDirectRelays {
  const { deps } = relay
  const sends = new Set<Promise<void>>()
  let signatureCount = 0
  let isStopped = false
  let turn = 0
  const canSign = () => isRelaying() && !isStopped

  const send = (attempt: Parameters<typeof sendAttempt>[1]): void => {
    const sendRecord = sendAttempt(relay, attempt)
      .catch((error) => deps.log.warn({ err: error, intentId: attempt.intentId }, 'send record failed'))
      .finally(() => sends.delete(sendRecord))
    sends.add(sendRecord)
  }
  const plan = async ({ intentId, call, gasLimit, validBefore }: DirectCall): Promise<DirectRelay | null> => {
    const [head, fees, fundedRelayers] = await Promise.all([
      deps.chain.head(),
      deps.chain.estimateFeesPerGas(),
      listFundedRelayers(deps.relayer, deps.chain),
    ])
    const localRelayers = fundedRelayers.filter(({ isRemote }) => !isRemote)
    const relayer = localRelayers[turn++ % Math.max(localRelayers.length, 1)]
    if (relayer === undefined || !canSign() || (validBefore !== null && validBefore <= head.timestamp)) return null
    return {
      begin: (simulatedAt) => {
        if (signatureCount >= CONCURRENCY || performance.now() - simulatedAt >= SIMULATION_FRESH_MS) return false
        signatureCount += 1
        return true
      },
      end: () => {
        signatureCount -= 1
      },
      sign: async (tx, gas) => {
        const nonce = await claimNonce(tx, relayer.address)
        const unsentCall = { intentId, purpose: 'call', ...call, gasLimit: gasLimit ?? gasLimitFor(gas), fees } as const
        const attempt = await deps.observe.stage(
          'sign',
          () => signAttempt(deps, unsentCall, { relayer, nonce }),
          intentId,
        )
        return { hash: attempt.hash, store: () => insertAttempt(tx, attempt), send: () => send(attempt) }
      },
    }
  }
  return {
    plan: async (call) => {
      if (!canSign()) return null
      try {
        return await plan(call)
      } catch (error) {
        if (error instanceof ChainUnavailable) return null
        throw error
      }
    },
    stop: async () => {
      isStopped = true
      await Promise.all(sends)
    },
  }
}
