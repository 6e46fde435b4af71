import { z } from 'zod'
import { objectToDelivery as entry } from '../../../protocol/operations/object-to-delivery.ts'
import { admitBy } from '../../domain/actions/admit.ts'
import { objectToDelivery as objectionRule } from '../../domain/actions/object.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'

/**
 * Records on chain that the requester refuses a delivery.
 *
 * Example: `POST /api/tasks/0x9f0d../object` answers `{"txHash": "0x8f1b.."}`.
 */
export const objectToDelivery = defineWrite(entry, {
  response: z.object({ txHash: hashOut }),
  load: (deps, { taskId }) => loadTaskSnapshot(deps.sql, taskId),
  facts: {},
  preflight: (task, _input, { actor, now }) => admitBy(objectionRule, task, { actor, now, args: {} }),
  result: ({ txHash }) => ({ body: { txHash } }),
})
