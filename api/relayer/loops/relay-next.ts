import type { Address } from 'viem'
import type { Transaction } from '../../db/client.ts'
import { reserveGas } from '../../intents/gas-accounts.queries.ts'
import { DEFAULT_HOOK_GAS } from '../../intents/hook-gas.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { deferIntent, lockRecordedIntent, markForeign } from '../../intents/outbox.queries.ts'
import type { OutboxSource } from '../../intents/outbox-due.queries.ts'
import { findForeignTerms } from '../../intents/relay-terms.ts'
import { relayModeOfIntent } from '../../intents/relayed-call.ts'
import { findEarlierUndone } from '../../intents/undone.queries.ts'
import { EXPIRED, hasExpired } from '../confirmations/expired-payment.ts'
import { applyResolution } from '../confirmations/resolution.ts'
import { resolveRevert } from '../confirmations/resolve-revert.ts'
import type { Relayer } from '../signers/relayer.ts'
import type { RelayContext, RelayerDeps } from '../transactions/relay-context.ts'
import { actionJob } from '../transactions/relay-job.ts'
import { sendAttempt } from '../transactions/send-attempt.ts'
import { leasePlanned, signApart } from '../transactions/sign-apart.ts'
import { type SignedOrPlanned, signJob } from '../transactions/sign-job.ts'
import { signRefund } from './relay-refund.ts'
import { waitForGas } from './wait-for-gas.ts'

/** The pause in seconds before a failed step of an intent is tried again. */
const RETRY_DELAY_SECONDS = 1

/**
 * Relays one intent, or refunds one payment, from a part of the outbox. With a local signer, one database transaction
 * locks the intent's row, simulates the call, and signs and stores its transaction. With a remote signer, the first
 * database transaction simulates the call and leases the intent. The signer then signs, and a second database
 * transaction stores the bytes. The lock or the lease keeps other processes away from the intent. The signed
 * transaction is sent after the commit.
 * @returns false when no intent was due
 */
export async function relayNext(relay: RelayContext, relayer: Relayer, source: OutboxSource): Promise<boolean> {
  const { deps } = relay
  let takenIntent: BoundIntent | null = null
  try {
    const take = async (tx: Transaction): Promise<SignedOrPlanned | null> => {
      if (source === 'refunds') {
        const refund = await signRefund(deps, tx, relayer)
        takenIntent = refund?.intent ?? null
        return refund?.signed ?? null
      }
      takenIntent = await lockRecordedIntent(tx, source)
      return takenIntent && (await signAction(deps, tx, { intent: takenIntent, relayer }))
    }
    const relayStep = await deps.sql.begin(async (tx) => {
      const step = await take(tx)
      return step !== null && 'planned' in step ? { planned: await leasePlanned(tx, step.planned) } : step
    })
    const attempt =
      relayStep && ('planned' in relayStep ? await signApart(deps, relayStep.planned, relayer) : relayStep.attempt)
    if (attempt !== null) {
      deps.reach('after-sign')
      await sendAttempt(relay, attempt)
    }
  } catch (error) {
    await backOff(deps, takenIntent, error)
  }
  return takenIntent !== null
}

async function signAction(
  deps: RelayerDeps,
  tx: Transaction,
  { intent, relayer }: { intent: BoundIntent; relayer: Relayer },
): Promise<SignedOrPlanned | null> {
  const { initiator } = intent
  const owner = intent.relayClass === 'plain' ? initiator : null
  const [isExpired, hasCode] = await Promise.all([
    hasExpired(deps, intent),
    owner !== null && deps.chain.hasCode(owner),
  ])
  if (!isExpired && owner !== null && hasCode) {
    await makeForeign(deps, tx, { intent, owner })
    return null
  }
  if (!isExpired && (await waitsForEarlier(deps, intent))) {
    await applyResolution(tx, intent, { decision: { next: 'wait' }, mined: null })
    return null
  }
  const job = actionJob(intent, deps.deployment)
  const jobOutcome = isExpired
    ? { revert: EXPIRED }
    : await deps.observe.stage('sign', () => signJob(deps, tx, { job, relayer }), intent.id)
  if (jobOutcome === null) {
    await waitForGas(deps, tx, intent)
    return null
  }
  if (!('revert' in jobOutcome)) return jobOutcome
  // The fault is the relayer's, not the intent's: another relayer makes the call.
  if (jobOutcome.revert.errorName === 'NotRelayer')
    throw new Error(`the forwarder takes no call from ${relayer.address}`)
  const revert = jobOutcome.revert.message
  const decision = await resolveRevert(deps, intent, null)
  // The simulation may have run on an older state than the resolution, so it is repeated a little later.
  if (decision.next === 'relay' && decision.mode === relayModeOfIntent(intent))
    await deferIntent(tx, intent.id, RETRY_DELAY_SECONDS)
  else await applyResolution(tx, intent, { decision, mined: null })
  deps.log.info({ intentId: intent.id, revert, decision }, 'intent unusable')
  return null
}

/**
 * Returns true if the intent must wait for earlier writes that a reorg undid and that are not mined again yet. An
 * intent for which no transaction was signed yet never waits.
 */
async function waitsForEarlier({ sql }: RelayerDeps, intent: BoundIntent): Promise<boolean> {
  if (intent.undone === null && intent.txHash === null) return false
  return (await findEarlierUndone(sql, intent)).isAnyOpen
}

/**
 * Moves an intent to the class `foreign` (calls that also run the account's code), because the account has received
 * code since the intent was bound.
 */
async function makeForeign(
  deps: RelayerDeps,
  tx: Transaction,
  { intent, owner }: { intent: BoundIntent; owner: Address },
): Promise<void> {
  // It was bound with a limit when hooks of the market are called.
  const terms = await findForeignTerms(deps, owner, {
    hookGas: intent.gasLimit === null ? 0n : DEFAULT_HOOK_GAS,
    maxGas: intent.gasLimit ?? BigInt(deps.config.MAX_RELAY_GAS),
  })
  const isReserved = terms.gas !== null && (await reserveGas(tx, terms.gas.account, terms.gas.wei))
  deps.log.info({ intentId: intent.id, owner, isReserved }, 'intent account has code')
  if (isReserved) await markForeign(tx, intent, terms)
  else await waitForGas(deps, tx, intent)
}

/**
 * Postpones an intent after its database transaction was rolled back. A failing intent then does not block later
 * intents.
 */
async function backOff(deps: RelayerDeps, intent: BoundIntent | null, error: unknown): Promise<void> {
  if (intent === null) throw error
  deps.log.warn({ err: error, intentId: intent.id }, 'intent relay failed')
  await deferIntent(deps.sql, intent.id, RETRY_DELAY_SECONDS)
}
