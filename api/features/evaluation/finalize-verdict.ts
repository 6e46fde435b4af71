import { finalizeVerdict as entry } from '../../../protocol/operations/finalize-verdict.ts'
import { admit } from '../../domain/actions/admit.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'
import { taskBody, txHashResponse } from './evaluation.schemas.ts'

/**
 * Puts a verdict into effect if nobody appealed the verdict in time, or if the resolver did not decide the appeal in
 * time.
 *
 * Example: `POST /api/tasks/0x0d97../finalize-verdict` with `{"taskId": "0x0d97.."}` answers `{"txHash": "0x236a.."}`.
 */
export const finalizeVerdict = defineWrite(entry, {
  body: taskBody,
  response: txHashResponse,
  load: (deps, { taskId }) => loadTaskSnapshot(deps.sql, taskId),
  facts: {},
  preflight: (task, _input, { actor, now }) => admit('finalize_verdict', task, { actor, now, args: {} }),
  result: ({ txHash }) => ({ body: { txHash } }),
})
