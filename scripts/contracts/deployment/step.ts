import type { Address, Hex } from 'viem'
import type { ReadClient } from '../chain.ts'
import type { Piece } from '../create2.ts'

/** One transaction of a plan, with what the chain has when it was made. */
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
  /** What `read` returns once the step is done. Example: `paid or bound`. */
  expected: string
  /** What the chain has instead, in the same words. The contract at `to` must be there. */
  read(client: ReadClient): Promise<string>
}

export const stages = { libraries: 0, market: 1, hooks: 2, settings: 3, ownership: 4 } as const
