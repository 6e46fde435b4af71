import { onchainView, sql } from 'ponder'
import { taskMarketAbi } from '../../abis/task-market.ts'
import { getEventAbi } from '../../protocol/rules/event-args.ts'
import { layOutArgs } from '../../protocol/rules/packed-args.ts'
import { taskStatuses } from '../../protocol/rules/task-status.ts'
import { taskEventNames, taskHistory } from '../schema/history.ts'
import { task } from '../schema/task.ts'
import { shownArgs } from './shown-args.ts'

const list = (names: readonly string[]) => names.map((name) => `'${name}'`).join(', ')
const args = taskEventNames
  .map((name, code) => `when ${code} then ${shownArgs(layOutArgs(getEventAbi(taskMarketAbi, name)))}`)
  .join('\n')

/** The view `task_event`: the history of tasks with the columns of `taskEventShape`. */
// The expressions for name and subject equal those in the indexes of `taskHistory`. Otherwise queries by name or
// subject would not use the indexes.
export const taskEvent = onchainView('task_event', {}).as(sql`
  select t.id || ':' || e.ordinal as id, t.id as task_id, e.ordinal,
    ${sql.raw(`(array[${list(taskEventNames)}])[e.code + 1]`)} as name,
    '0x' || encode(e.subject_bytes, 'hex') as subject,
    ${sql.raw(`(array[${list(taskStatuses)}])[e.status_code + 1]`)} as status_after,
    ${sql.raw(`(case e.code\n${args}\nend)::json`)} as args,
    e.amount, e.block_number, e.block_timestamp, '0x' || encode(e.transaction_bytes, 'hex') as transaction_hash,
    e.transaction_index, e.log_index
  from ${taskHistory} e join ${task} t on t.created_at_ms = e.task_created_at_ms`)
