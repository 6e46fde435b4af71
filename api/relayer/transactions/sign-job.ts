import type { Fees, Revert, Simulation } from '../../chain/chain.ts'
import { simulateCall } from '../../chain/simulate-relay-call.ts'
import type { Transaction } from '../../db/client.ts'
import { coverGas } from '../../intents/cover-gas.ts'
import { setReservedGas } from '../../intents/gas-accounts.queries.ts'
import { relayModeOfIntent } from '../../intents/relayed-call.ts'
import type { Relayer } from '../signers/relayer.ts'
import { insertAttempt, type NewAttempt } from './attempts.queries.ts'
import { gasLimitFor } from './fees.ts'
import { claimNonce } from './nonce-sequences.queries.ts'
import type { RelayerDeps } from './relay-context.ts'
import type { RelayJob } from './relay-job.ts'
import { signAttempt } from './sign-attempt.ts'

/** A transaction that has no nonce and no signature yet. */
export interface PlannedTransaction {
  job: RelayJob
  gasLimit: bigint
  fees: Fees
}

/**
 * The result of a signature: a transaction that is signed and stored, or a plan that a remote signer signs later
 * (`signApart`).
 */
export type SignedOrPlanned = { attempt: NewAttempt } | { planned: PlannedTransaction }

/**
 * Simulates a job's call and signs the job's transaction. If an intent's plain call (a call that runs only the
 * deployment's code) was simulated less than two seconds ago, the earlier result is used. With a local signer, the
 * nonce is claimed and the signed bytes are stored in the caller's database transaction. With a remote signer, only a
 * plan is returned.
 * @returns the transaction to send after the commit, the plan to sign after the commit, or the revert of the
 * simulation; null if the gas account cannot pay for the call at the current fees
 */
export async function signJob(
  deps: RelayerDeps,
  tx: Transaction,
  { job, relayer }: { job: RelayJob; relayer: Relayer },
): Promise<SignedOrPlanned | { revert: Revert } | null> {
  const { intent } = job
  const [simulation, fees] = await Promise.all([simulateJob(deps, { job, relayer }), deps.chain.estimateFeesPerGas()])
  if (simulation.outcome === 'reverted') return { revert: simulation.revert }
  const gasLimit = intent.gasLimit ?? gasLimitFor(simulation.gas)
  const coverage = await coverGas(deps, tx, intent, { gasLimit, fees })
  if (coverage === null) return null
  const relayStep = await signOrPlan(deps, tx, { job, relayer, gasLimit, fees })
  // After the intent's own change, which applies to the version that was read.
  if (coverage.reservation !== null) await setReservedGas(tx, intent.id, coverage.reservation)
  return relayStep
}

async function simulateJob(
  deps: RelayerDeps,
  { job: { call, intent, purpose }, relayer }: { job: RelayJob; relayer: Relayer },
): Promise<Simulation> {
  const isKnown = intent.relayClass === 'plain' && purpose === 'call'
  const mode = relayModeOfIntent(intent)
  const gas = isKnown ? deps.relayer.simulations.take({ chainIntentId: intent.chainIntentId, mode }) : null
  if (gas !== null) return { outcome: 'ok', gas }
  return await simulateCall(deps, { from: relayer.address, ...call, gasLimit: intent.gasLimit })
}

/** Signs and stores a transaction with a local signer. For a remote signer, returns the plan for `signApart`. */
export async function signOrPlan(
  deps: RelayerDeps,
  tx: Transaction,
  { relayer, ...plan }: PlannedTransaction & { relayer: Relayer },
): Promise<SignedOrPlanned> {
  return relayer.isRemote ? { planned: plan } : { attempt: await storeSigned(deps, tx, { relayer, ...plan }) }
}

/**
 * Claims a nonce, and signs and stores the transaction.
 * @throws Error if the intent has changed since the caller read the intent. The caller holds the intent's lock, so only
 * a bug can cause this error
 */
async function storeSigned(
  deps: RelayerDeps,
  tx: Transaction,
  { job, relayer, gasLimit, fees }: PlannedTransaction & { relayer: Relayer },
): Promise<NewAttempt> {
  const { purpose, intent } = job
  const unsentCall = { intentId: intent.id, purpose, ...job.call, gasLimit, fees }
  const attempt = await signAttempt(deps, unsentCall, { relayer, nonce: await claimNonce(tx, relayer.address) })
  await storeAttempt(deps, tx, { job, attempt })
  return attempt
}

/**
 * Stores a signed transaction, and stores the transaction's hash in the intent.
 * @throws Error if the intent has changed since the caller read the intent. The caller holds the intent's lock, so only
 * a bug can cause this error
 */
export async function storeAttempt(
  deps: RelayerDeps,
  tx: Transaction,
  { job: { intent, noteSigned }, attempt }: { job: RelayJob; attempt: NewAttempt },
): Promise<void> {
  await insertAttempt(tx, attempt)
  if (!(await noteSigned(tx, attempt.hash))) throw new Error(`intent ${intent.id} changed under its lock`)
  const { hash, nonce, purpose } = attempt
  deps.log.debug({ intentId: intent.id, hash, nonce: Number(nonce), purpose }, 'signed')
}
