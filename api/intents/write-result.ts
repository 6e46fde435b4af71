import type { Address, Hex, Log } from 'viem'

/**
 * The result of a mined write, which is stored with the intent. It is the response body unless `respond` builds another
 * body.
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
  /**
   * The called contract. Results use only the events of this contract, never those of other contracts in the same
   * transaction.
   */
  target: Address
  logs: readonly Log<bigint, number, false>[]
  actor: Address
  facts: Record<string, string>
}
