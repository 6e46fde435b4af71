import * as schema from '../../ponder.schema.ts'
import { taskEventShape } from '../schema/history.ts'

const { taskHistory: _stored, ...tables } = schema

/**
 * The tables that readers of the database can query. The history of tasks has the columns of the view `task_event`, not
 * those of the stored table.
 */
export const readerTables = { ...tables, taskEvent: taskEventShape }
