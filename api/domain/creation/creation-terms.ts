import type { Address } from 'viem'
import type { TaskTerms } from '../../../protocol/creation/task-terms.ts'

/** The market facts that bear on the terms of a new task. */
export interface TermsMarket {
  /** The fee on awards of a new task, basis points. */
  platformFeeBps: number
  /** The hooks that every new task runs before its own. */
  defaultHooks: readonly Address[]
}

/** The present state of the market for a creation. */
export interface CreationMarket extends TermsMarket {
  /** True while the market takes no new tasks. */
  entriesPaused: boolean
}

/** The terms of a requested task, and the content that the service alone stores. */
export interface CreationTerms extends TaskTerms {
  taskDropId?: string | undefined
  taskDropCreate?: object | undefined
  allowedViewers?: Address[] | undefined
  accessPassword?: string | undefined
}
