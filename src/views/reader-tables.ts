import * as schema from '../../ponder.schema.ts'
import { taskEventShape } from '../schema/history.ts'

const { taskHistory: _stored, ...tables } = schema

/**
 * The tables that readers of the database can query. `taskEvent` is the view `task_event`, not the stored table
 * `_task_history`.
 */
export const readerTables = { ...tables, taskEvent: taskEventShape }
