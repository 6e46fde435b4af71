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

/** A sent transaction whose receipt is not known. */
export interface Unmined {
  job: RelayJob
  /** The newest signed transaction of the job. */
  attempt: Attempt
  /** The number of the relayer's mined transactions. The number is also the first unmined nonce. */
  minedNonce: bigint
}

/**
 * Handles a transaction that is not mined. The transaction is sent again from time to time. An old transaction that has
 * the relayer's first unmined nonce is replaced by one with higher fees. If another transaction used the nonce, the
 * intent or refund returns to the outbox and gets a new transaction. Its call still takes effect at most once, because
 * the forwarder performs each intent and refund at most once.
 */
export async function replaceTransaction(relay: RelayContext, unminedAttempt: Unmined): Promise<void> {
  const { attempt, minedNonce } = unminedAttempt
  const { RESEND_AFTER_MS, REPLACE_AFTER_MS } = relay.deps.config
  const isOld = attempt.ageSeconds * 1000 > REPLACE_AFTER_MS
  const isSilent = attempt.silentSeconds === null || attempt.silentSeconds * 1000 > RESEND_AFTER_MS
  // Its nonce is used and none of our hashes has a receipt: another holder used the key, or the node lags. Wait.
  if (minedNonce > attempt.nonce) return isOld ? await giveNewNonce(relay, unminedAttempt) : undefined
  if (minedNonce === attempt.nonce && isOld && (await replace(relay, unminedAttempt))) return
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

/**
 * The replacement of a transaction. `reservation`: the new amount of gas that is reserved for the intent, or null if
 * the amount is unchanged.
 */
interface Replacement {
  call: UnsentCall
  reservation: GasReservation | null
}

/**
 * Replaces a transaction by one with the same nonce and higher fees. In three cases the replacement is a cancellation:
 * the call would revert now, the gas account cannot pay the higher fees, or the refund is worth less than the fees.
 * @returns false if this process does not have the key, the signer cannot sign now, or higher fees would not help
 */
async function replace(relay: RelayContext, { job, attempt }: Unmined): Promise<boolean> {
  const { deps } = relay
  const relayer = deps.relayer.accounts.find(({ address }) => address === attempt.relayer)
  if (relayer === undefined || !relayer.isReady()) return false
  const current = await deps.chain.estimateFeesPerGas()
  const isBetter = (call: UnsentCall) => call.purpose !== attempt.purpose || isUnderpriced(attempt, current)
  const call = await replacementOf(relay, { job, attempt, fees: bumpedFees(attempt, current) })
  if (!isBetter(call)) return false
  const sign = (affordableCall: UnsentCall) => signAttempt(deps, affordableCall, { relayer, nonce: attempt.nonce })
  const decide = async (tx: Transaction): Promise<Replacement | 'changed' | 'needless'> => {
    if (!(await job.lock(tx))) return 'changed'
    // The cost of a refund was compared before; no account pays for it, nor for a cancellation.
    const runsAction = call.purpose === 'call'
    const coverage = runsAction ? await coverGas(deps, tx, job.intent, call) : { reservation: null }
    const affordableCall = coverage === null ? cancellationCall(call.intentId, attempt.relayer, call.fees) : call
    return isBetter(affordableCall) ? { call: affordableCall, reservation: coverage?.reservation ?? null } : 'needless'
  }
  const store = async (attemptApart: NewAttempt | null) =>
    await deps.sql.begin(async (tx) => {
      const decision = await decide(tx)
      if (typeof decision === 'string') return decision
      if (attemptApart !== null && !(await isStillRight(tx, { signed: attemptApart, decided: decision, attempt })))
        return 'changed'
      const replacement = attemptApart ?? (await sign(decision.call))
      await insertAttempt(tx, replacement)
      if (replacement.purpose !== 'cancellation') await job.noteSigned(tx, replacement.hash)
      // After the intent's own change, which applies to the version that was read.
      if (decision.reservation !== null) await setReservedGas(tx, job.intent.id, decision.reservation)
      return replacement
    })
  const signApart = async () => {
    const decision = await rollBack(deps.sql, decide)
    return typeof decision === 'string' ? decision : await sign(decision.call)
  }
  const signOutcome = relayer.isRemote ? await signApart() : null
  const outcome = typeof signOutcome === 'string' ? signOutcome : await store(signOutcome)
  if (outcome === 'needless') return false
  if (outcome === 'changed') return true
  const { intentId, hash, purpose } = outcome
  deps.log.warn({ intentId, hash, replaces: attempt.hash, purpose }, 'replaced with higher fees')
  await sendAttempt(relay, outcome)
  return true
}

/**
 * Returns true if a replacement that was signed outside the database transaction can still be stored. Two conditions
 * must hold. `decided`, the repeated decision about the replacement, has the same purpose as the signed replacement. No
 * other process has stored a transaction with the same nonce.
 */
async function isStillRight(
  tx: Transaction,
  { signed, decided, attempt }: { signed: NewAttempt; decided: Replacement; attempt: Attempt },
): Promise<boolean> {
  await lockNonceSequence(tx, attempt.relayer)
  const newest = await findSequenceHead(tx, attempt)
  return signed.purpose === decided.call.purpose && newest?.hash === attempt.hash
}

/**
 * Runs work in a database transaction, rolls the database transaction back, and returns the work's result. The caller
 * thus learns the result without a change of the database.
 */
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
