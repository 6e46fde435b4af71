import type { Address, Hex } from 'viem'
import type { ReadClient } from '../chain.ts'
import type { Piece } from '../create2.ts'

/** One transaction of a plan, and the value on the chain that shows that the transaction was mined. */
export interface Step {
  /** Stage of the step. A step depends only on steps of earlier stages. The steps of one stage can be sent together. */
  stage: number
  /** Name of the step for people. Example: `route to createTask of the market`. */
  what: string
  to: Address
  data: Hex
  /** The contract that the step creates; absent if the step changes a setting. */
  piece?: Piece
  /** Key of the setting in `SettingChanges`; absent if the step is not a setting that an owner changes later. */
  setting?: string
  /** The value that `read` returns after the step. Example: `paid or bound`. */
  expected: string
  /** Reads the current value from the chain, in the same words as `expected`. The contract at `to` must exist. */
  read(client: ReadClient): Promise<string>
}

export const stages = { libraries: 0, market: 1, hooks: 2, settings: 3, ownership: 4 } as const
