import * as schema from '../../ponder.schema.ts'
import { taskEventShape } from '../schema/history.ts'

const { taskHistory: _stored, ...tables } = schema

/** The tables of the indexer that readers see, with the history of tasks in the shape of its view. */
export const readerTables = { ...tables, taskEvent: taskEventShape }
