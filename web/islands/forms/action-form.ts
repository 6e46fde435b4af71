import type { WriteName } from '../../../client/src/index.ts'
import type { SheetRow } from '../write/sheet-words.ts'
import type { ActionContext, Field, Values } from './fields.ts'

/** An action of a task: the write that it sends, its form and its texts. */
export interface ActionForm {
  write: WriteName
  /** Text that names the action, in the infinitive. Example: `Claim this task`. */
  act: string
  /** Sentence that reports success. */
  done: string
  /** Explanation of the action, shown before the person decides. */
  about?: string | ((context: ActionContext) => string)
  /** Additional data that the form requires; absent if the form requires only the task. */
  needs?: 'submissions' | 'pitches'
  fields?: (context: ActionContext) => Field[]
  /** Returns the arguments of the write, except the task's id. Default: the values of the form. */
  input?: (values: Values, context: ActionContext) => Record<string, unknown>
  /**
   * Returns the rows of the payment sheet that show the action's effects. The rows of the payment itself are not
   * included.
   */
  effects?: (values: Values, context: ActionContext) => SheetRow[]
}
