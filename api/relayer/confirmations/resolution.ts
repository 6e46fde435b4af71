import type { Hex } from 'viem'
import type { RelayMode } from '../../../protocol/relay.ts'
import type { MinedAt } from '../../chain/chain.ts'
import type { Transaction } from '../../db/client.ts'
import { chargeGas, settleGas } from '../../intents/gas-accounts.queries.ts'
import { holdIntent } from '../../intents/held.queries.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { awaitEarlier, failIntent, markBroadcast, requeueIntent } from '../../intents/outbox.queries.ts'

/** The decision about what happens next to an intent after its call reverted. */
export type Resolution =
  | { next: 'complete'; hash: Hex; blockNumber: bigint }
  /**
   * The intent is relayed again. `mode` is null if the call contains the signature of the owner of the assets and is
   * submitted without the forwarder.
   */
  | { next: 'relay'; mode: RelayMode | null }
  /**
   * The intent fails. `isRevert` is true if a revert of the call is the only reason. Such a call may succeed after
   * other writes have changed the chain's state.
   */
  | { next: 'fail'; reason: string; refund: boolean; isRevert?: true }
  /** The intent waits. A reorg undid earlier writes, and these writes must be mined again first. */
  | { next: 'wait' }
  /**
   * The intent is held until the block `untilBlock` is safe, and then fails. Without `untilBlock`, an operator decides.
   */
  | { next: 'hold'; finding: string; untilBlock?: bigint }

/** The first pause between two checks of a held intent, in seconds. */
const FIRST_BACKOFF_SECONDS = 5
/** The longest pause between two checks of a held intent, in seconds. */
const LONGEST_BACKOFF_SECONDS = 3_600
/** The pause in seconds between two checks of an intent that waits for earlier writes. */
const WAIT_SECONDS = 1

/**
 * Stores a resolution. `mined`: the block of the reverted transaction, or null if no transaction was mined. `gasWei`:
 * the cost in wei of the reverted or cancelling transaction, or null if the cost is unknown. The cost is charged to the
 * intent's gas account, if it has one, even if the intent continues.
 * @returns false when the intent has changed since it was read; then nothing is stored
 */
export async function applyResolution(
  tx: Transaction,
  intent: BoundIntent,
  { decision, mined, gasWei = 0n }: { decision: Resolution; mined: MinedAt | null; gasWei?: bigint | null },
): Promise<boolean> {
  const isStored = await store(tx, intent, { decision, mined })
  if (!isStored) return false
  if (decision.next === 'fail') await settleGas(tx, intent.id, gasWei)
  else if (gasWei !== null) await chargeGas(tx, intent.id, gasWei)
  return true
}

function store(
  tx: Transaction,
  intent: BoundIntent,
  { decision, mined }: { decision: Resolution; mined: MinedAt | null },
): Promise<boolean> {
  switch (decision.next) {
    case 'complete':
      return markBroadcast(tx, intent, decision.hash)
    case 'relay':
      return requeueIntent(tx, intent, decision.mode)
    case 'wait':
      return awaitEarlier(tx, intent, WAIT_SECONDS)
    case 'fail':
      return failIntent(tx, intent, { reason: decision.reason, mined, refund: decision.refund })
    case 'hold': {
      const { finding, untilBlock = null } = decision
      return holdIntent(tx, intent, { finding, restSeconds: backoffOf(intent), untilBlock })
    }
  }
}

/**
 * Returns the pause in seconds until the next check of a held intent. The pause doubles with every check, to at most an
 * hour.
 */
function backoffOf({ status, looks }: BoundIntent): number {
  const lookNumber = status === 'held' ? looks + 1 : 0
  return Math.min(FIRST_BACKOFF_SECONDS * 2 ** lookNumber, LONGEST_BACKOFF_SECONDS)
}
