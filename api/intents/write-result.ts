import type { Address, Hex, Log } from 'viem'

/** What a mined write meant: stored with the intent, and the answer unless `respond` makes another one. */
export interface WriteResult {
  body: Record<string, unknown>
  /** Set by `tasks.create` alone. */
  taskId?: Hex
}

/** A mined write, as its result sees it. */
export interface MinedWrite {
  intentId: string
  txHash: Hex
  /** The contract that was called: results count its events only, never what another contract logged in between. */
  target: Address
  logs: readonly Log<bigint, number, false>[]
  actor: Address
  facts: Record<string, string>
}
