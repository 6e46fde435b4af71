import type { Hex } from 'viem'
import { relayTrace } from '../schema/relay.ts'
import type { PositionedEvent } from './event-position.ts'
import type { Store } from './store.ts'

/** The key of the only row of `relay_trace`. */
const id = 'market'

/**
 * Stores the task of a task event. A relayed call is about the task of the last task event that precedes the call's
 * `IntentRelayed` event in the same transaction.
 */
export async function traceTask(store: Store, { transaction }: PositionedEvent, taskId: Hex): Promise<void> {
  await store.update(relayTrace, { id }).set({ taskTransaction: transaction.hash, taskId })
}

/**
 * Records a transfer from the forwarder to the market: adds its amount to the escrow amount of the transaction. The
 * forwarder makes such a transfer only for a relayed call or a sweep.
 * @param amount USDC base units
 */
export async function traceEscrow(store: Store, { transaction }: PositionedEvent, amount: bigint): Promise<void> {
  await store.update(relayTrace, { id }).set((row) => ({
    escrowTransaction: transaction.hash,
    escrowAmount: row.escrowTransaction === transaction.hash ? row.escrowAmount + amount : amount,
  }))
}

/**
 * Returns the stored facts of the relayed call that this `IntentRelayed` event reports, and clears them, so that a
 * second relayed call in the transaction starts with no facts.
 * @returns the task, null if the call is about none, and the escrow amount in USDC base units
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
