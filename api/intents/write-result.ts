import type { Address, Hex, Log } from 'viem'

/** The result of a mined write, stored with the intent. It is the answer unless `respond` builds another one. */
export interface WriteResult {
  body: Record<string, unknown>
  /** Set by `tasks.create` alone. */
  taskId?: Hex
}

/** The input of a write's result. */
export interface MinedWrite {
  intentId: string
  txHash: Hex
  /** The called contract: results count only its events, never those of another contract in between. */
  target: Address
  logs: readonly Log<bigint, number, false>[]
  actor: Address
  facts: Record<string, string>
}
