import type { Hex } from 'viem'
import type { RelayMode } from '../../../protocol/relay.ts'
import type { MinedAt } from '../../chain/chain.ts'
import type { Transaction } from '../../db/client.ts'
import { chargeGas, settleGas } from '../../intents/gas-accounts.queries.ts'
import { holdIntent } from '../../intents/held.queries.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { awaitEarlier, failIntent, markBroadcast, requeueIntent } from '../../intents/outbox.queries.ts'

/** The resolution of an intent whose call reverts (Chain, "Pay and act"). */
export type Resolution =
  | { next: 'complete'; hash: Hex; blockNumber: bigint }
  /** `mode` is null for a call that is submitted as signed. */
  | { next: 'relay'; mode: RelayMode | null }
  /** `isRevert`: the reason is only a revert, which another state may not have. */
  | { next: 'fail'; reason: string; refund: boolean; isRevert?: true }
  /** A reorg undid earlier writes that must be mined again first. */
  | { next: 'wait' }
  /** `untilBlock`: it fails by itself once that block is safe; without one an operator decides. */
  | { next: 'hold'; finding: string; untilBlock?: bigint }

/** The first backoff of a held intent, and the longest, seconds. */
const FIRST_BACKOFF_SECONDS = 5
const LONGEST_BACKOFF_SECONDS = 3_600
/** The interval at which an intent checks if earlier ones are mined again, seconds. */
const WAIT_SECONDS = 1

/**
 * Stores a resolution. `mined`: the place of the revert, if it was mined. `gasWei`: the cost of that transaction, or of
 * the one that cancelled the call; null: unknown. It is charged at once, also to an intent that continues.
 * @returns false when the intent changed since it was read: then the resolution is void, and nothing is stored
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

/** Returns the backoff, which doubles after every attempt, up to an hour. */
function backoffOf({ status, looks }: BoundIntent): number {
  const lookNumber = status === 'held' ? looks + 1 : 0
  return Math.min(FIRST_BACKOFF_SECONDS * 2 ** lookNumber, LONGEST_BACKOFF_SECONDS)
}
