import type { Transaction } from '../../db/client.ts'
import { leaseIntent, lockVersion } from '../../intents/outbox.queries.ts'
import type { Relayer } from '../signers/relayer.ts'
import type { NewAttempt } from './attempts.queries.ts'
import { claimThisNonce, getNextNonce } from './nonce-sequences.queries.ts'
import type { RelayerDeps } from './relay-context.ts'
import { signAttempt } from './sign-attempt.ts'
import { type PlannedTransaction, storeAttempt } from './sign-job.ts'

/**
 * The number of seconds for which an intent is leased to one process while a remote signer signs its transaction. After
 * the lease, other processes continue the intent, and a signature that arrives late is not stored.
 */
const LEASE_SECONDS = 10
/**
 * The largest number of times that one transaction is signed. If another process claims the nonce first, the
 * transaction is signed again with the next nonce.
 */
const MOST_SIGNATURES = 5

/**
 * Leases the intent of a planned transaction. During the lease no other process takes the intent, so a remote signer
 * has time to sign the transaction.
 * @returns the plan, with the version number that the lease gave the intent
 */
export async function leasePlanned(tx: Transaction, plan: PlannedTransaction): Promise<PlannedTransaction> {
  const version = await leaseIntent(tx, plan.job.intent.id, LEASE_SECONDS)
  return { ...plan, job: plan.job.withVersion(version) }
}

/**
 * Signs a planned transaction with the next nonce, outside every database transaction. Then the nonce is claimed and
 * the bytes are stored in one database transaction. If another process claimed the nonce first, the bytes are dropped.
 * @returns the transaction to send; null when the intent has changed
 * @throws SignerUnavailable if the signer gave no signature; nothing is changed then
 */
export async function signApart(
  deps: RelayerDeps,
  { job, gasLimit, fees }: PlannedTransaction,
  relayer: Relayer,
): Promise<NewAttempt | null> {
  const unsentCall = { intentId: job.intent.id, purpose: job.purpose, ...job.call, gasLimit, fees }
  for (let signatures = 0; signatures < MOST_SIGNATURES; signatures += 1) {
    const nonce = await getNextNonce(deps.sql, relayer.address)
    const attempt = await signAttempt(deps, unsentCall, { relayer, nonce })
    const outcome = await deps.sql.begin(async (tx) => {
      if (!(await lockVersion(tx, job.intent))) return 'changed'
      if (!(await claimThisNonce(tx, relayer.address, nonce))) return 'claimed'
      await storeAttempt(deps, tx, { job, attempt })
      return 'stored'
    })
    if (outcome === 'stored') return attempt
    if (outcome === 'changed') return null
  }
  throw new Error(`other processes claimed ${MOST_SIGNATURES} nonces of ${relayer.address} in a row`)
}
