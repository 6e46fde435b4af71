import type { Transaction } from '../../db/client.ts'
import { leaseIntent, lockVersion } from '../../intents/outbox.queries.ts'
import type { Relayer } from '../signers/relayer.ts'
import type { NewAttempt } from './attempts.queries.ts'
import { claimThisNonce, getNextNonce } from './nonce-sequences.queries.ts'
import type { RelayerDeps } from './relay-context.ts'
import { signAttempt } from './sign-attempt.ts'
import { type PlannedTransaction, storeAttempt } from './sign-job.ts'

/**
 * How long the intent is left alone for its signature, seconds. A process that takes longer finds it changed, and stores nothing; one
 * that ended leaves it to others after that time.
 */
const LEASE_SECONDS = 10
/** Signatures of one transaction: each time another process was faster with its nonce. */
const MOST_SIGNATURES = 5

/** Leaves the intent of a planned transaction alone while it is signed. @returns the plan for its version from now on */
export async function leasePlanned(tx: Transaction, planned: PlannedTransaction): Promise<PlannedTransaction> {
  const version = await leaseIntent(tx, planned.job.intent.id, LEASE_SECONDS)
  return { ...planned, job: planned.job.withVersion(version) }
}

/**
 * Has a planned transaction signed outside of every database transaction, for the nonce that is next; then claims this nonce and
 * stores the bytes in one transaction. A nonce is never claimed without the bytes that use it, and bytes for a nonce that another
 * process has claimed meanwhile are neither stored nor sent.
 * @returns the transaction to send; null when the intent changed meanwhile
 * @throws SignerUnavailable when there is no signature: nothing has changed
 */
export async function signApart(
  deps: RelayerDeps,
  { job, gasLimit, fees }: PlannedTransaction,
  relayer: Relayer,
): Promise<NewAttempt | null> {
  const unsent = { intentId: job.intent.id, purpose: job.purpose, ...job.call, gasLimit, fees }
  for (let signatures = 0; signatures < MOST_SIGNATURES; signatures += 1) {
    const nonce = await getNextNonce(deps.sql, relayer.address)
    const attempt = await signAttempt(deps, unsent, { relayer, nonce })
    const stored = await deps.sql.begin(async (tx) => {
      if (!(await lockVersion(tx, job.intent))) return 'changed'
      if (!(await claimThisNonce(tx, relayer.address, nonce))) return 'claimed'
      await storeAttempt(deps, tx, { job, attempt })
      return 'stored'
    })
    if (stored === 'stored') return attempt
    if (stored === 'changed') return null
  }
  throw new Error(`other processes claimed ${MOST_SIGNATURES} nonces of ${relayer.address} in a row`)
}
