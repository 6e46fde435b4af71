import type { Fees } from '../../chain/chain.ts'
import { simulateCall } from '../../chain/simulate-relay-call.ts'
import type { Database, Transaction } from '../../db/client.ts'
import { coverGas } from '../../intents/cover-gas.ts'
import { type GasReservation, setReservedGas } from '../../intents/gas-accounts.queries.ts'
import { type Attempt, insertAttempt, type NewAttempt } from './attempts.queries.ts'
import { bumpedFees, isUnderpriced } from './fees.ts'
import { findSequenceHead, lockNonceSequence, openNonceSequence } from './nonce-sequences.queries.ts'
import { findRefundLoss } from './refund-loss.ts'
import type { RelayContext } from './relay-context.ts'
import type { RelayJob } from './relay-job.ts'
import { sendAttempt } from './send-attempt.ts'
import { cancellationCall, signAttempt, type UnsentCall } from './sign-attempt.ts'

/** A transaction without a known receipt. */
export interface Unmined {
  job: RelayJob
  /** The newest attempt of the job. */
  attempt: Attempt
  /** The mined transactions of its relayer: the sequence's first open nonce. */
  minedNonce: bigint
}

/**
 * Keeps an unmined transaction going. It sends the same bytes again; it replaces the head of a nonce sequence by a
 * better paid one of the same nonce; and it assigns a new nonce when its own was used otherwise. The forwarder lets an
 * intent act once and a payment return once, so nothing happens twice.
 */
export async function replaceTransaction(relay: RelayContext, unmined: Unmined): Promise<void> {
  const { attempt, minedNonce } = unmined
  const { RESEND_AFTER_MS, REPLACE_AFTER_MS } = relay.deps.config
  const isOld = attempt.ageSeconds * 1000 > REPLACE_AFTER_MS
  const isSilent = attempt.silentSeconds === null || attempt.silentSeconds * 1000 > RESEND_AFTER_MS
  // Its nonce is used and none of our hashes has a receipt: another holder used the key, or the node lags. Wait.
  if (minedNonce > attempt.nonce) return isOld ? await giveNewNonce(relay, unmined) : undefined
  if (minedNonce === attempt.nonce && isOld && (await replace(relay, unmined))) return
  // Sending needs no key, so any process does it for an ended one.
  if (isSilent) await sendAttempt(relay, attempt)
}

async function giveNewNonce({ deps }: RelayContext, { job, attempt, minedNonce }: Unmined): Promise<void> {
  await openNonceSequence(deps.sql, attempt.relayer, minedNonce)
  if (!(await job.requeue(deps.sql))) return
  deps.observe.metrics.relayerSeen({ relayer: attempt.relayer, isUsedElsewhere: true })
  const { intentId, hash } = attempt
  deps.log.warn({ intentId, hash }, 'nonce used by another transaction')
}

/** The replacement of a transaction, and its new gas reservation. */
interface Replacement {
  call: UnsentCall
  reservation: GasReservation | null
}

/**
 * Replaces a transaction at the same nonce, with fees an eighth higher or the current ones. The replacement is a
 * cancellation when the call would revert now, its gas account has too little left for these fees, or a refund is not
 * worth them, so that a nonce sequence never waits for a budget. A remote signer is called before the transaction that
 * stores the bytes, for the decision of that moment.
 * @returns false when another process has the key, it cannot sign now, or a replacement would be no better: the cause
 * is not money
 */
async function replace(relay: RelayContext, { job, attempt }: Unmined): Promise<boolean> {
  const { deps } = relay
  const relayer = deps.relayer.accounts.find(({ address }) => address === attempt.relayer)
  if (relayer === undefined || !relayer.isReady()) return false
  const current = await deps.chain.estimateFeesPerGas()
  const isBetter = (call: UnsentCall) => call.purpose !== attempt.purpose || isUnderpriced(attempt, current)
  const call = await replacementOf(relay, { job, attempt, fees: bumpedFees(attempt, current) })
  if (!isBetter(call)) return false
  const sign = (affordable: UnsentCall) => signAttempt(deps, affordable, { relayer, nonce: attempt.nonce })
  const decide = async (tx: Transaction): Promise<Replacement | 'changed' | 'needless'> => {
    if (!(await job.lock(tx))) return 'changed'
    // The cost of a refund was compared before; no account pays for it, nor for a cancellation.
    const runsAction = call.purpose === 'call'
    const covered = runsAction ? await coverGas(deps, tx, job.intent, call) : { reservation: null }
    const affordable = covered === null ? cancellationCall(call.intentId, attempt.relayer, call.fees) : call
    return isBetter(affordable) ? { call: affordable, reservation: covered?.reservation ?? null } : 'needless'
  }
  const store = async (signed: NewAttempt | null) =>
    await deps.sql.begin(async (tx) => {
      const decided = await decide(tx)
      if (typeof decided === 'string') return decided
      if (signed !== null && !(await isStillRight(tx, { signed, decided, attempt }))) return 'changed'
      const replacement = signed ?? (await sign(decided.call))
      await insertAttempt(tx, replacement)
      if (replacement.purpose !== 'cancellation') await job.noteSigned(tx, replacement.hash)
      // After the intent's own change, which applies to the version that was read.
      if (decided.reservation !== null) await setReservedGas(tx, job.intent.id, decided.reservation)
      return replacement
    })
  const signApart = async () => {
    const decided = await rollBack(deps.sql, decide)
    return typeof decided === 'string' ? decided : await sign(decided.call)
  }
  const signed = relayer.isRemote ? await signApart() : null
  const stored = typeof signed === 'string' ? signed : await store(signed)
  if (stored === 'needless') return false
  if (stored === 'changed') return true
  const { intentId, hash, purpose } = stored
  deps.log.warn({ intentId, hash, replaces: attempt.hash, purpose }, 'replaced with higher fees')
  await sendAttempt(relay, stored)
  return true
}

/**
 * Returns true if the separately signed transaction equals the present decision, and no other process used its nonce
 * first.
 */
async function isStillRight(
  tx: Transaction,
  { signed, decided, attempt }: { signed: NewAttempt; decided: Replacement; attempt: Attempt },
): Promise<boolean> {
  await lockNonceSequence(tx, attempt.relayer)
  const newest = await findSequenceHead(tx, attempt)
  return signed.purpose === decided.call.purpose && newest?.hash === attempt.hash
}

/** Runs work in a transaction that is rolled back. */
async function rollBack<Result>(sql: Database, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  const undo = new Error('rolled back')
  const results: Result[] = []
  await sql
    .begin(async (tx) => {
      results.push(await work(tx))
      throw undo
    })
    .catch((error) => {
      if (error !== undo) throw error
    })
  const [result] = results
  if (result === undefined) throw undo
  return result
}

async function replacementOf(
  { deps }: RelayContext,
  { job, attempt, fees }: { job: RelayJob; attempt: Attempt; fees: Fees },
): Promise<UnsentCall> {
  const { call, purpose } = job
  const { intentId, relayer, gasLimit } = attempt
  // A cancellation stays one: the call does not fit into its limit.
  const simulation = await simulateCall(deps, { from: relayer, ...call, gasLimit })
  if (simulation.outcome === 'reverted') return cancellationCall(intentId, relayer, fees)
  const isLoss = purpose !== 'call' && (await findRefundLoss(deps, job.intent, { gasLimit, fees })) !== null
  if (isLoss) return cancellationCall(intentId, relayer, fees)
  return { intentId, purpose, ...call, gasLimit, fees }
}
