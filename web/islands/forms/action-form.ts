import type { WriteName } from '../../../client/src/index.ts'
import type { SheetRow } from '../write/sheet-words.ts'
import type { ActionContext, Field, Values } from './fields.ts'

/** An action of a task: its write, its form and its words. */
export interface ActionForm {
  write: WriteName
  /** Infinitive. Example: `Claim this task`. */
  act: string
  /** Sentence of success. */
  done: string
  /** Meaning of the action, shown before the decision. */
  about?: string | ((context: ActionContext) => string)
  /** Rows that the form requires; none unless named. */
  needs?: 'submissions' | 'pitches'
  fields?: (context: ActionContext) => Field[]
  /** Returns the arguments of the write besides the task's id; default: the values of the form. */
  input?: (values: Values, context: ActionContext) => Record<string, unknown>
  /** Returns the lines of the payment sheet besides the payment. */
  effects?: (values: Values, context: ActionContext) => SheetRow[]
}
