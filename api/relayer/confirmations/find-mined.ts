import type { Hex } from 'viem'
import { ChainUnavailable, type MinedTransaction } from '../../chain/chain.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import type { Attempt } from '../transactions/attempts.queries.ts'
import type { RelayerDeps } from '../transactions/relay-context.ts'
import { isCallOfIntent } from './call-of-intent.ts'
import type { IndexedRelay } from './indexed-relays.queries.ts'
import type { MinedAttempt } from './mined-attempt.ts'

/** The facts about an intent that are stored in the database, in addition to the node's answers. */
export interface Known {
  /** The signed transactions of an intent, newest first. The newest has replaced the older ones. */
  attempts: readonly Attempt[]
  /** The indexed call of this intent. Undefined if the indexer has no call of the intent. */
  indexed: IndexedRelay | undefined
}

/**
 * Returns the intent's mined transaction, from its receipt or from the indexer's row. If both exist and differ, the row
 * counts.
 * @returns null if neither a receipt nor a row exists yet
 * @throws ChainUnavailable when the node gives no valid answer and no row exists
 */
export async function findMined(
  deps: RelayerDeps,
  intent: BoundIntent,
  knownFacts: Known,
): Promise<MinedAttempt | null> {
  const { attempts, indexed } = knownFacts
  const signedHashes = attempts.map(({ hash }) => hash)
  const isOwn =
    indexed !== undefined && (await isCallOfIntent(deps, intent, { relayed: indexed, signed: signedHashes }))
  if (!isOwn) return await findByReceipt(deps, intent, knownFacts)
  const byReceipt = await findByReceipt(deps, intent, knownFacts).catch(nullIfUnavailable)
  if (byReceipt?.mined.hash === indexed.transactionHash && byReceipt.mined.succeeded) return byReceipt
  const transaction = await findByLogs(deps, intent, {
    hash: indexed.transactionHash,
    blockNumber: indexed.blockNumber,
  })
  return { purpose: null, mined: transaction }
}

/**
 * Returns the data of a successful transaction that the indexer has. The data is read from the logs of the node's
 * block, because the node may not return the transaction's receipt.
 * @throws ChainUnavailable when the node's block does not contain the transaction's logs
 */
export async function findByLogs(
  { chain, deployment }: RelayerDeps,
  { target }: Pick<BoundIntent, 'target'>,
  { hash, blockNumber }: { hash: Hex; blockNumber: bigint },
): Promise<MinedTransaction> {
  const { blockHash, logs } = await chain.blockLogs({ addresses: [deployment.forwarder, target], blockNumber })
  const ownLogs = logs.filter(({ transactionHash }) => transactionHash === hash)
  if (ownLogs.length === 0) throw new ChainUnavailable(`block ${blockNumber} does not show what ${hash} logged`)
  return { hash, blockNumber, blockHash, succeeded: true, gasWei: null, logs: ownLogs }
}

/** Searches for a receipt of the intent's signed transactions, the newest first. Any of them may be mined. */
async function findByReceipt(
  { chain }: RelayerDeps,
  { txHash }: BoundIntent,
  { attempts }: Known,
): Promise<MinedAttempt | null> {
  // The forwarder may have logged a transaction without a row in this database.
  const isKnown = txHash === null || attempts.some(({ hash }) => hash === txHash)
  const candidates = attempts.map(({ hash, purpose }) => ({ hash, purpose }))
  for (const { hash, purpose } of isKnown ? candidates : [{ hash: txHash, purpose: null }, ...candidates]) {
    // Mostly it is in the newest block, which then shows that its block is part of the chain.
    const [transaction, head] = await Promise.all([
      chain.getTransactionReceipt(hash),
      chain.latestHead().catch(nullIfUnavailable),
    ])
    if (transaction !== null) return { purpose, mined: transaction, ...(head !== null && { head }) }
  }
  return null
}

function nullIfUnavailable(error: unknown): null {
  if (error instanceof ChainUnavailable) return null
  throw error
}
