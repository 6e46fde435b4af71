import type { Address } from 'viem'
import type { TaskTerms } from '../../../protocol/creation/task-terms.ts'

/** The facts about the market that limit the terms of a new task. */
export interface TermsMarket {
  /** The platform fee on the awards of a new task, in basis points. */
  platformFeeBps: number
  /** The hooks that the market calls for every new task, before the requester's hooks. */
  defaultHooks: readonly Address[]
}

/** The present state of the market, as far as the creation of a task depends on it. */
export interface CreationMarket extends TermsMarket {
  /** True while the market takes no new tasks. */
  entriesPaused: boolean
}

/**
 * The terms of a requested task, and those fields of the request that the service stores and the contract does not
 * know.
 */
export interface CreationTerms extends TaskTerms {
  taskDropId?: string | undefined
  taskDropCreate?: object | undefined
  allowedViewers?: Address[] | undefined
  accessPassword?: string | undefined
}
