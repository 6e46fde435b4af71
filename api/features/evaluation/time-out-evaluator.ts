import { timeOutEvaluator as entry } from '../../../protocol/operations/time-out-evaluator.ts'
import { admit } from '../../domain/actions/admit.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'
import { taskBody, txHashResponse } from './evaluation.schemas.ts'

/**
 * Removes an evaluator who gave no verdict within the evaluation window. The requester then decides the task.
 *
 * Example: `POST /api/tasks/0x226f../evaluator-timeout` with `{"taskId": "0x226f.."}` answers `{"txHash": "0x4632.."}`.
 */
export const timeOutEvaluator = defineWrite(entry, {
  body: taskBody,
  response: txHashResponse,
  load: (deps, { taskId }) => loadTaskSnapshot(deps.sql, taskId),
  facts: {},
  preflight: (task, _input, { actor, now }) => admit('evaluator_timeout', task, { actor, now, args: {} }),
  result: ({ txHash }) => ({ body: { txHash } }),
})
