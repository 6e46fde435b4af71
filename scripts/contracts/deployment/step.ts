import type { Address, Hex } from 'viem'
import type { ReadClient } from '../chain.ts'
import type { Piece } from '../create2.ts'

/** One transaction of a plan, with the state of the chain after it. */
export interface Step {
  /** Steps of one stage depend on earlier stages alone, and can be sent together. */
  stage: number
  /** Example: `route to createTask of the market`. */
  what: string
  to: Address
  data: Hex
  /** The contract that it makes; absent: it is a setting. */
  piece?: Piece
  /** Key of the setting in `SettingChanges`; absent: it is no setting that an owner changes later. */
  setting?: string
  /** Value of `read` after the step. Example: `paid or bound`. */
  expected: string
  /** Reads the current value in the same words. The contract at `to` must exist. */
  read(client: ReadClient): Promise<string>
}

export const stages = { libraries: 0, market: 1, hooks: 2, settings: 3, ownership: 4 } as const
