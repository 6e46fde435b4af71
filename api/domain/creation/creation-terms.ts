import type { Address } from 'viem'
import type { TaskTerms } from '../../../protocol/creation/task-terms.ts'

/** What of the market bears on the terms of a new task. */
export interface TermsMarket {
  /** What it takes of the awards of a new task, basis points. */
  platformFeeBps: number
  /** The hooks every new task runs with, before its own. */
  defaultHooks: readonly Address[]
}

/** The market a task is created in, as it is now. */
export interface CreationMarket extends TermsMarket {
  /** It takes no new tasks for now. */
  entriesPaused: boolean
}

/** What a requester asks for when creating a task: its terms, and what the service alone keeps of it. */
export interface CreationTerms extends TaskTerms {
  taskDropId?: string | undefined
  taskDropCreate?: object | undefined
  allowedViewers?: Address[] | undefined
  accessPassword?: string | undefined
}
