import { zeroAddress } from 'viem'
import type { MinedAt } from '../../chain/chain.ts'
import { ChainUnavailable, type MinedTransaction } from '../../chain/chain.ts'
import { parseRelays } from '../../chain/forwarder-events.ts'
import { settleGas } from '../../intents/gas-accounts.queries.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { completeIntent, recordMined } from '../../intents/outbox.queries.ts'
import type { WriteResult } from '../../intents/write-result.ts'
import { isMadeBy } from '../../payments/submission-use.ts'
import type { RelayContext, RelayerDeps } from '../transactions/relay-context.ts'
import { findByLogs } from './find-mined.ts'
import { matchesIntent } from './matches-intent.ts'
import type { MinedAttempt } from './mined-attempt.ts'
import { applyResolution } from './resolution.ts'
import { resolveRevert } from './resolve-revert.ts'

/** Completes, requeues, holds or fails a broadcast intent, depending on its mined transaction. */
export async function settleMined(relay: RelayContext, intent: BoundIntent, attempt: MinedAttempt): Promise<void> {
  const { deps } = relay
  const { purpose, mined } = attempt
  await requireCanonical(deps, attempt)
  if (purpose !== 'cancellation' && mined.succeeded) return await complete(relay, intent, mined)
  // A cancellation used the intent's nonce, because the call could not act any more. It may be able to again.
  const isFreedNonce = purpose === 'cancellation'
  const decision = await resolveRevert(deps, intent, isFreedNonce ? null : mined)
  if (decision.next === 'complete' && decision.hash === mined.hash) {
    deps.log.error({ intentId: intent.id, hash: mined.hash }, 'node reported revert of completed call')
    return await complete(relay, intent, await findByLogs(deps, intent, decision))
  }
  const revertFacts = { mined: isFreedNonce ? null : minedAt(mined), gasWei: mined.gasWei }
  const isStored = await deps.sql.begin((tx) => applyResolution(tx, intent, { decision, ...revertFacts }))
  if (!isStored) return
  countGas(deps, intent, mined)
  deps.log.info({ intentId: intent.id, hash: mined.hash, purpose, decision }, 'relayed call failed')
}

/**
 * Adds the transaction's gas cost to the metrics. Call it after the outcome was stored, so the cost is counted once.
 */
function countGas(
  { observe }: RelayerDeps,
  { relayClass }: BoundIntent,
  { succeeded, gasWei }: MinedTransaction,
): void {
  if (gasWei !== null) observe.metrics.gasPaid({ relayClass, succeeded, wei: gasWei })
}

/** Checks that the receipt's block is still part of the chain. @throws ChainUnavailable when it is not */
async function requireCanonical(
  { chain }: RelayerDeps,
  { mined: { hash, blockNumber, blockHash }, head }: MinedAttempt,
): Promise<void> {
  if (head?.number === blockNumber && head.hash === blockHash) return
  if ((await chain.blockHash(blockNumber)) === blockHash) return
  throw new ChainUnavailable(`the node shows ${hash} in a block that is not the one at height ${blockNumber}`)
}

async function complete(relay: RelayContext, intent: BoundIntent, transaction: MinedTransaction): Promise<void> {
  const { deps } = relay
  if (!consumedIntent(deps, intent, transaction)) {
    throw new ChainUnavailable(`the node shows ${transaction.hash} as a success without the intent it consumes`)
  }
  deps.reach('after-mined')
  try {
    const { body, taskId = null } = resultOf(relay, intent, transaction)
    const index = transaction.logs[0]?.transactionIndex ?? null
    const result = { mined: minedAt(transaction), index, taskId, result: body }
    if (!(await storeResult(deps, intent, { result, gasWei: transaction.gasWei }))) return
    deps.reach('after-complete')
    countGas(deps, intent, transaction)
    deps.log.debug({ intentId: intent.id, hash: transaction.hash, operation: intent.operation }, 'completed')
  } catch (error) {
    // It is done on chain; only the record is outstanding, and the next pass tries it again.
    await recordMined(deps.sql, intent, minedAt(transaction))
    throw error
  }
}

/**
 * Stores the result of an intent. If the call is foreign (it also runs code of another account), the same database
 * transaction also settles the intent's gas account. A plain call runs only code of the deployment and has no gas
 * account.
 * @returns false when the intent has changed since it was read
 */
async function storeResult(
  { sql, reach }: RelayerDeps,
  intent: BoundIntent,
  { result, gasWei }: { result: Parameters<typeof completeIntent>[2]; gasWei: bigint | null },
): Promise<boolean> {
  if (intent.relayClass === 'plain') {
    reach('before-complete-commit')
    return await completeIntent(sql, intent, result)
  }
  return await sql.begin(async (tx) => {
    const isOurs = await completeIntent(tx, intent, result)
    if (isOurs) await settleGas(tx, intent.id, gasWei)
    reach('before-complete-commit')
    return isOurs
  })
}

function resultOf({ results }: RelayContext, intent: BoundIntent, transaction: MinedTransaction): WriteResult {
  const toResult = results.get(intent.operation)
  if (toResult === undefined) throw new Error(`there is no write named ${intent.operation}`)
  return toResult({
    intentId: intent.id,
    txHash: transaction.hash,
    target: intent.target,
    logs: transaction.logs,
    actor: intent.initiator ?? zeroAddress,
    facts: intent.facts,
  })
}

/**
 * Returns true if the logs contain the event that proves the intent's success. For a forwarded call, the forwarder
 * emits the event. For a submitted call, the called contract emits it.
 */
function consumedIntent({ deployment }: RelayerDeps, intent: BoundIntent, transaction: MinedTransaction): boolean {
  if (!('relay' in intent)) return isMadeBy(transaction.logs, intent, deployment)
  return parseRelays(transaction.logs).some(
    (log) => log.address.toLowerCase() === deployment.forwarder && matchesIntent(intent, log.args),
  )
}

function minedAt({ hash, blockNumber, blockHash }: MinedTransaction): MinedAt {
  return { txHash: hash, blockNumber, blockHash }
}
