import { type Attempt, insertAttempt } from '../../db/attempts.queries.ts'
import { openLane } from '../../db/relay.queries.ts'
import type { Errand } from './errand.ts'
import type { RelayContext } from './relay-context.ts'
import { sendAttempt } from './send-attempt.ts'
import { noopCall, signAttempt, type UnsentCall } from './sign-attempt.ts'

/** A transaction no receipt is known of. */
export interface Unmined {
  errand: Errand
  /** The newest of the errand. */
  attempt: Attempt
  /** Transactions mined from its relayer: the lane's first open nonce. */
  minedNonce: bigint
}

/**
 * Keeps a transaction without a receipt going: sends the same bytes again; when it is the one its lane waits for, puts
 * a better paid one of the same nonce in its place; gives it a new nonce when its own went to something else. The
 * forwarder lets an intent act once and a payment go back once, so none of this can do it twice.
 */
export async function unstick(relay: RelayContext, unmined: Unmined): Promise<void> {
  const { attempt, minedNonce } = unmined
  const { RESEND_AFTER_MS, REPLACE_AFTER_MS } = relay.deps.config
  const isOld = attempt.ageSeconds * 1000 > REPLACE_AFTER_MS
  const isSilent = attempt.silentSeconds === null || attempt.silentSeconds * 1000 > RESEND_AFTER_MS
  // Its nonce is used and none of our hashes has a receipt: somebody else used the key. Or the node is behind: wait.
  if (minedNonce > attempt.nonce) return isOld ? await giveNewNonce(relay, unmined) : undefined
  if (minedNonce === attempt.nonce && isOld) return await replace(relay, unmined)
  if (isSilent) await sendAttempt(relay, attempt)
}

async function giveNewNonce({ deps }: RelayContext, { errand, attempt, minedNonce }: Unmined): Promise<void> {
  await openLane(deps.sql, attempt.relayer, minedNonce)
  await errand.requeue(deps.sql)
  const { intentId, hash } = attempt
  deps.log.warn({ intentId, hash }, 'the nonce was used by another transaction; relaying anew')
}

/** Same nonce, fees an eighth higher or the current ones; the call again, or nothing when it would revert now. */
async function replace(relay: RelayContext, { errand, attempt }: Unmined): Promise<void> {
  const { deps } = relay
  const relayer = deps.writes.relayers.find(({ address }) => address === attempt.relayer)
  // Another process has the key.
  if (relayer === undefined) return
  const call = await replacementOf(relay, errand, attempt)
  const replacement = await signAttempt(deps, call, { relayer, nonce: attempt.nonce })
  const isStored = await deps.sql.begin(async (tx) => {
    if (!(await errand.lock(tx))) return false
    await insertAttempt(tx, replacement)
    if (call.leg !== 'noop') await errand.noteSigned(tx, replacement.hash)
    return true
  })
  if (!isStored) return
  const { intentId, hash, leg } = replacement
  deps.log.warn({ intentId, hash, replaces: attempt.hash, leg }, 'replaced with higher fees')
  await sendAttempt(relay, replacement)
}

async function replacementOf({ deps }: RelayContext, errand: Errand, attempt: Attempt): Promise<UnsentCall> {
  const { chain, deployment } = deps
  const current = await chain.fees()
  const fees = {
    maxFeePerGas: largest(raised(attempt.maxFeePerGas), current.maxFeePerGas),
    maxPriorityFeePerGas: largest(raised(attempt.maxPriorityFeePerGas), current.maxPriorityFeePerGas),
  }
  const { data, leg } = errand
  const simulation = await chain.simulate({ from: attempt.relayer, to: deployment.forwarder, data })
  if (simulation.outcome === 'reverted') return noopCall(attempt.intentId, attempt.relayer, fees)
  return { intentId: attempt.intentId, leg, to: deployment.forwarder, data, gasLimit: attempt.gasLimit, fees }
}

/** 12.5 % more, rounded up: what nodes ask for before they replace a transaction. */
function raised(fee: bigint): bigint {
  return fee + (fee + 7n) / 8n
}

function largest(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
