import type { Address, Hex, Log } from 'viem'

/**
 * The result of a mined write. It is stored with the intent, and is the response body unless `respond` builds a
 * different one.
 */
export interface WriteResult {
  body: Record<string, unknown>
  /** The id of the new task. Only `tasks.create` sets it. */
  taskId?: Hex
}

/** The values from which a write's result is built. */
export interface MinedWrite {
  intentId: string
  txHash: Hex
  /** The called contract. A result uses only events of this contract. */
  target: Address
  logs: readonly Log<bigint, number, false>[]
  actor: Address
  facts: Record<string, string>
}
