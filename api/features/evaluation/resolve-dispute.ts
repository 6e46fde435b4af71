import { z } from 'zod'
import { resolveDispute as entry } from '../../../protocol/operations/resolve-dispute.ts'
import { resolutions } from '../../../protocol/operations/verdict-awards.ts'
import { admit } from '../../domain/actions/admit.ts'
import { bytes32Text } from '../../http/request-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'
import { awardsSchema, txHashResponse } from './evaluation.schemas.ts'

/**
 * Settles an appealed verdict.
 *
 * Example: `POST /api/tasks/0x7c70../resolve-dispute` with `{"taskId": "0x7c70..", "verdict": "approve", "awards":
 * [{..}]}` answers `{"txHash": "0xbcce.."}`.
 */
export const resolveDispute = defineWrite(entry, {
  body: z.object({
    taskId: bytes32Text.optional(),
    verdict: z.enum(resolutions),
    awards: awardsSchema.min(1),
  }),
  response: txHashResponse,
  load: ({ sql }, { taskId, awards }) =>
    loadTaskSnapshot(
      sql,
      taskId,
      awards.map(({ worker }) => worker),
    ),
  facts: { reward: (task) => task.reward },
  preflight: (task, input, { actor, now }) => admit('resolve_dispute', task, { actor, now, args: input }),
  result: ({ txHash }) => ({ body: { txHash } }),
})
