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
  /** What it means, before one decides. */
  about?: string | ((context: ActionContext) => string)
  /** Rows that the form is made of; nothing of them unless named. */
  needs?: 'submissions' | 'pitches'
  fields?: (context: ActionContext) => Field[]
  /** The arguments of the write beside the task's id; the values of the form unless given. */
  input?: (values: Values, context: ActionContext) => Record<string, unknown>
  /** Lines of the payment sheet beside the payment. */
  effects?: (values: Values, context: ActionContext) => SheetRow[]
}
