import type { Hex } from 'viem'
import { ChainUnavailable } from '../../chain/chain.ts'
import {
  finalizeIntent,
  finalizeRefund,
  listIntentsOfBlock,
  listRefundsOfBlock,
  listWatchedBlocks,
  reopenIntent,
  reopenRefund,
  type WatchedBlock,
} from '../../intents/finality.queries.ts'
import { fromBlockOf } from '../../intents/from-block.ts'
import type { BoundIntent, SubmittedIntent } from '../../intents/intent.ts'
import { paymentOf } from '../../intents/relayed-call.ts'
import { decodeWithdrawal } from '../../payments/bonus-withdrawal.ts'
import { findSubmissionUse } from '../../payments/submission-use.ts'
import { decodeClaim, isClaim } from '../../payments/vault-claim.ts'
import { findIndexedWithdrawal } from '../../read-model/bonus.queries.ts'
import { findIndexedBlock } from '../../read-model/indexed-head.queries.ts'
import { findIndexedClaim } from '../../read-model/vaults.queries.ts'
import { isCallOfIntent } from '../confirmations/call-of-intent.ts'
import { findIndexedRefund, type IndexedRelay, listFailedWithRelay } from '../confirmations/indexed-relays.queries.ts'
import { listIndexedRelays } from '../confirmations/indexed-relays.ts'
import type { RelayContext } from '../transactions/relay-context.ts'
import { reopenBlock } from './reopen-block.ts'

/**
 * The largest number of blocks that one pass handles. It is also the largest number of failed intents that one pass
 * handles.
 */
const PASS_SIZE = 500

/**
 * Finalizes the intents and refunds of safe blocks if the indexer's rows agree with their stored outcomes. If the rows
 * disagree, the intent or refund is reopened. The indexer does not store USDC transfers, nor the calls that switch the
 * bound-only setting of a wallet. The outcomes of intents with one of these two calls are compared with the chain's
 * logs instead.
 */
export async function finalizeSafeBlocks(relay: RelayContext): Promise<void> {
  const { chain, sql } = relay.deps
  const [safeBlock, indexedBlock] = await Promise.all([chain.safeBlockNumber(), findIndexedBlock(sql)])
  for (const block of await listWatchedBlocks(sql, { upTo: safeBlock, limit: PASS_SIZE })) {
    const hash = await chain.blockHash(block.blockNumber)
    if (hash !== null && hash !== block.blockHash) await reopenBlock(relay, block)
    else if (hash !== null && block.blockNumber <= indexedBlock) await finalizeBlock(relay, block)
  }
  await reopenContradicted(relay)
}

async function finalizeBlock(relay: RelayContext, block: WatchedBlock): Promise<void> {
  const { deps } = relay
  const intents = await listIntentsOfBlock(deps.sql, block)
  const relays = await listIndexedRelays(deps, intents)
  for (const intent of intents) {
    const hash = await findActed(deps, intent, relays)
    if (isConfirmed(intent, hash)) await finalizeIntent(deps.sql, intent)
    else await reopen(relay, intent, hash)
  }
  for (const intent of await listRefundsOfBlock(deps.sql, block)) await finalizeOrReopenRefund(relay, intent)
}

/**
 * Returns true if the stored status of the intent is right. `completed` is right if the intent's call took effect in
 * the intent's transaction. `failed` is right if the call took no effect.
 * @param hash the transaction in which the call took effect; undefined if the call took no effect
 */
function isConfirmed({ status, txHash }: BoundIntent, hash: Hex | undefined): boolean {
  return status === 'completed' ? hash === txHash : hash === undefined
}

/** Returns the hash of the transaction in which an intent's call took effect. Undefined if the call took no effect. */
async function findActed(
  deps: RelayContext['deps'],
  intent: BoundIntent,
  relays: ReadonlyMap<string, IndexedRelay>,
): Promise<Hex | undefined> {
  if ('relay' in intent) return (await findOwnRelay(deps, intent, relays))?.transactionHash
  return intent.kind === 'claim' ? await findClaimed(deps, intent) : await findByLogs(deps, intent)
}

async function findClaimed(
  { sql }: RelayContext['deps'],
  { target, calldata }: SubmittedIntent,
): Promise<Hex | undefined> {
  if (isClaim(calldata)) return await findIndexedClaim(sql, target, decodeClaim(calldata))
  return await findIndexedWithdrawal(sql, decodeWithdrawal(calldata))
}

/**
 * Searches the chain's logs for the call of an intent that transfers USDC or switches the bound-only setting of a
 * wallet. The indexer stores neither of these calls.
 */
async function findByLogs(deps: RelayContext['deps'], intent: SubmittedIntent): Promise<Hex | undefined> {
  const submission = await findSubmissionUse(deps, intent, { fromBlock: fromBlockOf(intent) })
  if (submission.use === 'unseen') {
    throw new ChainUnavailable(`the authorization of intent ${intent.id} is used, and the node does not show where`)
  }
  return submission.use === 'made' ? submission.hash : undefined
}

async function finalizeOrReopenRefund({ deps }: RelayContext, intent: BoundIntent): Promise<void> {
  const { refundTxHash } = intent
  const payment = paymentOf(intent)
  if (payment === null) return
  const hash = await findIndexedRefund(deps.sql, { payer: payment.from, nonce: payment.nonce })
  if (hash === refundTxHash) return await finalizeRefund(deps.sql, intent)
  if (await reopenRefund(deps.sql, intent)) {
    deps.log.error({ intentId: intent.id, refundTxHash, indexed: hash }, 'refund differs from indexer')
  }
}

/**
 * Reopens failed writes if an indexed row shows that their call took effect. A write may fail without a mined
 * transaction. Its failure then belongs to no block, and `finalizeBlock` does not find it.
 */
async function reopenContradicted(relay: RelayContext): Promise<void> {
  const { deps } = relay
  const intents = await listFailedWithRelay(deps.sql, PASS_SIZE)
  const relays = await listIndexedRelays(deps, intents)
  for (const intent of intents) {
    const ownRelay = await findOwnRelay(deps, intent, relays)
    if (ownRelay !== undefined) await reopen(relay, intent, ownRelay.transactionHash)
  }
}

async function findOwnRelay(
  deps: RelayContext['deps'],
  intent: BoundIntent,
  relays: ReadonlyMap<string, IndexedRelay>,
): Promise<IndexedRelay | undefined> {
  const indexedRelay = relays.get(intent.id)
  // The transaction of a completed one was compared at its completion.
  const signedHashes = intent.status === 'completed' && intent.txHash !== null ? [intent.txHash] : []
  return indexedRelay !== undefined &&
    (await isCallOfIntent(deps, intent, { relayed: indexedRelay, signed: signedHashes }))
    ? indexedRelay
    : undefined
}

async function reopen({ deps, onSent }: RelayContext, intent: BoundIntent, hash: Hex | undefined): Promise<void> {
  if (!(await reopenIntent(deps.sql, intent, hash))) return
  const { id, status, txHash } = intent
  deps.log.error({ intentId: id, status, txHash, indexed: hash }, 'outcome differs from indexer')
  onSent()
}
