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

/** A transaction no receipt is known of. */
export interface Unmined {
  job: RelayJob
  /** The newest of the job. */
  attempt: Attempt
  /** Transactions mined from its relayer: the nonce sequence's first open nonce. */
  minedNonce: bigint
}

/**
 * Keeps a transaction without a receipt going: sends the same bytes again; when it is the one its nonce sequence waits
 * for, puts a better paid one of the same nonce in its place; gives it a new nonce when its own went to something else.
 * The forwarder lets an intent act once and a payment go back once, so none of this can do it twice.
 */
export async function replaceTransaction(relay: RelayContext, unmined: Unmined): Promise<void> {
  const { attempt, minedNonce } = unmined
  const { RESEND_AFTER_MS, REPLACE_AFTER_MS } = relay.deps.config
  const isOld = attempt.ageSeconds * 1000 > REPLACE_AFTER_MS
  const isSilent = attempt.silentSeconds === null || attempt.silentSeconds * 1000 > RESEND_AFTER_MS
  // Its nonce is used and none of our hashes has a receipt: another holder used the key, or the node is behind. Wait.
  if (minedNonce > attempt.nonce) return isOld ? await giveNewNonce(relay, unmined) : undefined
  if (minedNonce === attempt.nonce && isOld && (await replace(relay, unmined))) return
  // Sending needs no key: any process does it for one that has ended.
  if (isSilent) await sendAttempt(relay, attempt)
}

async function giveNewNonce({ deps }: RelayContext, { job, attempt, minedNonce }: Unmined): Promise<void> {
  await openNonceSequence(deps.sql, attempt.relayer, minedNonce)
  if (!(await job.requeue(deps.sql))) return
  deps.observe.metrics.relayerSeen({ relayer: attempt.relayer, isUsedElsewhere: true })
  const { intentId, hash } = attempt
  deps.log.warn({ intentId, hash }, 'the nonce was used by another transaction; relaying anew')
}

/** The transaction to put in place of another, and what is set aside for it from now on. */
interface Replacement {
  call: UnsentCall
  reservation: GasReservation | null
}

/**
 * Same nonce, fees an eighth higher or the current ones; the call again, or nothing when it would revert now, when its
 * gas account has too little left for these fees, or when a refund is not worth them: a nonce sequence never waits for a
 * budget. A remote signer is asked before the transaction that stores the bytes, for what would be decided at that moment.
 * @returns false when another process has the key, it signs nothing now, or nothing would be better: whatever it waits for, it
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
    // What a refund may cost was weighed before; no account pays for it, nor for a cancellation.
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
      // After the intent's own change, which holds for the version that was read.
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

/** Tells whether what was signed apart is what is decided now, and no other process was faster with its nonce. */
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
