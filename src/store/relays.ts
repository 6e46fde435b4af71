import type { Hex } from 'viem'
import { relayTrace } from '../schema/relay.ts'
import type { PositionedEvent } from './event-position.ts'
import type { Store } from './store.ts'

/** The key of the one row of `relay_trace`. */
const id = 'market'

/** Stores the task of an event. The relayed call whose event follows in the transaction is about the last such task. */
export async function traceTask(store: Store, { transaction }: PositionedEvent, taskId: Hex): Promise<void> {
  await store.update(relayTrace, { id }).set({ taskTransaction: transaction.hash, taskId })
}

/** Stores a payment of the forwarder to the market. Only a relayed call or a sweep makes one. */
export async function traceEscrow(store: Store, { transaction }: PositionedEvent, amount: bigint): Promise<void> {
  await store.update(relayTrace, { id }).set((row) => ({
    escrowTransaction: transaction.hash,
    escrowAmount: row.escrowTransaction === transaction.hash ? row.escrowAmount + amount : amount,
  }))
}

/**
 * Returns and clears the stored facts of the call that this `IntentRelayed` is about. A second relay in the transaction
 * starts anew.
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
