import {
  listIntentsOfBlock,
  listRefundsOfBlock,
  reopenIntent,
  reopenRefund,
  type WatchedBlock,
} from '../../intents/finality.queries.ts'
import type { RelayContext } from '../transactions/relay-context.ts'

/**
 * Reopens the intents and refunds whose outcome was in a block that a reorg removed. Their outcome is then undecided
 * again.
 */
export async function reopenBlock({ deps, onSent }: RelayContext, block: WatchedBlock): Promise<void> {
  const [decidedIntents, refundedIntents] = await Promise.all([
    listIntentsOfBlock(deps.sql, block),
    listRefundsOfBlock(deps.sql, block),
  ])
  for (const intent of decidedIntents) await reopenIntent(deps.sql, intent)
  // A refund whose outcome was undone too has changed meanwhile and is undecided with it.
  for (const intent of refundedIntents) await reopenRefund(deps.sql, intent)
  const intentIds = [...decidedIntents, ...refundedIntents].map(({ id }) => id)
  deps.log.warn({ blockNumber: Number(block.blockNumber), intentIds }, 'block removed by reorg')
  onSent()
}
