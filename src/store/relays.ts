import type { Hex } from 'viem'
import { relayTrace } from '../schema/relay.ts'
import type { PositionedEvent } from './event-position.ts'
import type { Store } from './store.ts'

/** The key of the only row of `relay_trace`. */
const id = 'market'

/**
 * Stores the task of the latest task event. If an `IntentRelayed` event follows in the same transaction, the relayed
 * call is about this task.
 */
export async function traceTask(store: Store, { transaction }: PositionedEvent, taskId: Hex): Promise<void> {
  await store.update(relayTrace, { id }).set({ taskTransaction: transaction.hash, taskId })
}

/**
 * Adds the amount of a transfer to the escrow amount that is stored for the transaction. The forwarder made the
 * transfer to the market.
 * @param amount USDC base units
 */
export async function traceEscrow(store: Store, { transaction }: PositionedEvent, amount: bigint): Promise<void> {
  await store.update(relayTrace, { id }).set((row) => ({
    escrowTransaction: transaction.hash,
    escrowAmount: row.escrowTransaction === transaction.hash ? row.escrowAmount + amount : amount,
  }))
}

/**
 * Returns the stored facts of a relayed call, and clears them for the next relayed call in the transaction.
 * @returns the task (null if the call is about no task), and the escrow amount in USDC base units
 */
export async function takeRelayTrace(
  store: Store,
  { transaction }: PositionedEvent,
): Promise<{ taskId: Hex | null; escrowAmount: bigint }> {
  const row = await store.find(relayTrace, { id })
  if (row === null) throw new Error('relays have no trace')
  const taskId = row.taskTransaction === transaction.hash ? row.taskId : null
  const escrowAmount = row.escrowTransaction === transaction.hash ? row.escrowAmount : 0n
  await store.update(relayTrace, { id }).set({ taskTransaction: null, escrowTransaction: null })
  return { taskId, escrowAmount }
}
