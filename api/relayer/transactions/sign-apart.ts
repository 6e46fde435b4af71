import type { Transaction } from '../../db/client.ts'
import { leaseIntent, lockVersion } from '../../intents/outbox.queries.ts'
import type { Relayer } from '../signers/relayer.ts'
import type { NewAttempt } from './attempts.queries.ts'
import { claimThisNonce, getNextNonce } from './nonce-sequences.queries.ts'
import type { RelayerDeps } from './relay-context.ts'
import { signAttempt } from './sign-attempt.ts'
import { type PlannedTransaction, storeAttempt } from './sign-job.ts'

/**
 * The lease of an intent during its signature, seconds. A process that takes longer finds it changed, and stores
 * nothing; after a crash others continue after that time.
 */
const LEASE_SECONDS = 10
/** The signatures of one transaction, one for each time that another process used its nonce first. */
const MOST_SIGNATURES = 5

/** Leases the intent of a planned transaction for its signature. @returns the plan for its new version */
export async function leasePlanned(tx: Transaction, planned: PlannedTransaction): Promise<PlannedTransaction> {
  const version = await leaseIntent(tx, planned.job.intent.id, LEASE_SECONDS)
  return { ...planned, job: planned.job.withVersion(version) }
}

/**
 * Signs a planned transaction outside of every database transaction, for the next nonce; then claims this nonce and
 * stores the bytes in one transaction. A nonce is never claimed without its bytes, and bytes for a nonce that another
 * process claimed are neither stored nor sent.
 * @returns the transaction to send; null when the intent changed meanwhile
 * @throws SignerUnavailable without a signature: nothing has changed
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
