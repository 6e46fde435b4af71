import { appealVerdict as entry } from '../../../protocol/operations/appeal-verdict.ts'
import { admit } from '../../domain/actions/admit.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'
import { taskBody, txHashResponse } from './evaluation.schemas.ts'

export const appealVerdict = defineWrite(entry, {
  body: taskBody,
  response: txHashResponse,
  load: (deps, { taskId }, payer) => loadTaskSnapshot(deps.sql, taskId, payer === null ? [] : [payer]),
  facts: {},
  preflight: (task, _input, { actor, now }) => admit('appeal', task, { actor, now, args: {} }),
  result: ({ txHash }) => ({ body: { txHash } }),
})
