import { appealVerdict as entry } from '../../../protocol/operations/appeal-verdict.ts'
import { admit } from '../../domain/actions/admit.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'
import { taskBody, txHashResponse } from './evaluation.schemas.ts'

/**
 * Appeals a verdict to the dispute resolver.
 *
 * Example: `POST /api/tasks/0x7c70../appeal` with `{"taskId": "0x7c70.."}` answers `{"txHash": "0x61ba.."}`.
 */
export const appealVerdict = defineWrite(entry, {
  body: taskBody,
  response: txHashResponse,
  load: (deps, { taskId }, payer) => loadTaskSnapshot(deps.sql, taskId, payer === null ? [] : [payer]),
  facts: {},
  preflight: (task, _input, { actor, now }) => admit('appeal', task, { actor, now, args: {} }),
  result: ({ txHash }) => ({ body: { txHash } }),
})
