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

/** Backoff after a step that could not be finished (no node, no database), seconds. */
const RETRY_DELAY_SECONDS = 1

/**
 * Takes one intent of a class from the outbox to the chain, or one payment back to its payer: simulate, then nonce,
 * signature and bytes in one transaction, then send. The lock on its row keeps every other process off it and ends with
 * its process. A remote signer is asked between two transactions, while the row says that it is left alone.
 * @returns false when nothing was waiting
 */
export async function relayNext(relay: RelayContext, relayer: Relayer, source: OutboxSource): Promise<boolean> {
  const { deps } = relay
  let taken: BoundIntent | null = null
  try {
    const take = async (tx: Transaction): Promise<SignedOrPlanned | null> => {
      if (source === 'refunds') {
        const refund = await signRefund(deps, tx, relayer)
        taken = refund?.intent ?? null
        return refund?.signed ?? null
      }
      taken = await lockRecordedIntent(tx, source)
      return taken && (await signAction(deps, tx, { intent: taken, relayer }))
    }
    const signed = await deps.sql.begin(async (tx) => {
      const step = await take(tx)
      return step !== null && 'planned' in step ? { planned: await leasePlanned(tx, step.planned) } : step
    })
    const attempt = signed && ('planned' in signed ? await signApart(deps, signed.planned, relayer) : signed.attempt)
    if (attempt !== null) {
      deps.reach('after-sign')
      await sendAttempt(relay, attempt)
    }
  } catch (error) {
    await backOff(deps, taken, error)
  }
  return taken !== null
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
  const signed = isExpired
    ? { revert: EXPIRED }
    : await deps.observe.stage('sign', () => signJob(deps, tx, { job, relayer }), intent.id)
  if (signed === null) {
    await waitForGas(deps, tx, intent)
    return null
  }
  if (!('revert' in signed)) return signed
  // Of the relayer, not of the intent: another one makes the call.
  if (signed.revert.errorName === 'NotRelayer') throw new Error(`the forwarder takes no call from ${relayer.address}`)
  const revert = signed.revert.message
  const decision = await resolveRevert(deps, intent, null)
  // The simulation may have run on a state older than the one decided on: then it is asked again a little later.
  if (decision.next === 'relay' && decision.mode === relayModeOfIntent(intent))
    await deferIntent(tx, intent.id, RETRY_DELAY_SECONDS)
  else await applyResolution(tx, intent, { decision, mined: null })
  deps.log.info({ intentId: intent.id, revert, decision }, 'an intent cannot act as it is')
  return null
}

/** A write that a reorg undid, or whose transaction reverted, is not signed while those before it are to be mined again. */
async function waitsForEarlier({ sql }: RelayerDeps, intent: BoundIntent): Promise<boolean> {
  if (intent.undone === null && intent.txHash === null) return false
  return (await findEarlierUndone(sql, intent)).isAnyOpen
}

/** An account that had no code at bind has some now: its call waits with the others of that class. */
async function makeForeign(
  deps: RelayerDeps,
  tx: Transaction,
  { intent, owner }: { intent: BoundIntent; owner: Address },
): Promise<void> {
  // It was bound with a limit where hooks of the market's own are called.
  const terms = await findForeignTerms(deps, owner, {
    hookGas: intent.gasLimit === null ? 0n : DEFAULT_HOOK_GAS,
    maxGas: intent.gasLimit ?? BigInt(deps.config.MAX_RELAY_GAS),
  })
  const isReserved = terms.gas !== null && (await reserveGas(tx, terms.gas.account, terms.gas.wei))
  deps.log.info({ intentId: intent.id, owner, isReserved }, 'the account of an intent has code by now')
  if (isReserved) await markForeign(tx, intent, terms)
  else await waitForGas(deps, tx, intent)
}

/** The transaction is undone: the intent is where it was. Others go first, so that one cannot stop them all. */
async function backOff(deps: RelayerDeps, intent: BoundIntent | null, error: unknown): Promise<void> {
  if (intent === null) throw error
  deps.log.warn({ err: error, intentId: intent.id }, 'an intent could not be relayed now')
  await deferIntent(deps.sql, intent.id, RETRY_DELAY_SECONDS)
}
