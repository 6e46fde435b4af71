import { type Hex, zeroHash } from 'viem'
import { z } from 'zod'
import { createClaim as entry } from '../../../protocol/operations/create-claim.ts'
import { toClaimId } from '../../../protocol/rules/row-ids.ts'
import { termsHashOf } from '../../../protocol/terms-hash.ts'
import { getMarketEvent } from '../../chain/market-events.ts'
import { admit } from '../../domain/actions/admit.ts'
import { stakeOf } from '../../domain/stake.ts'
import type { TaskSnapshot } from '../../domain/task-snapshot.ts'
import { addressText, bytes32Text, signatureText } from '../../http/request-schemas.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'

/**
 * Claims a task for a worker. If the task requires a stake, the worker pays the stake with the request. Else the worker
 * only signs.
 *
 * Example: `POST /api/tasks/0x068b../claim` with `{"taskId": "0x068b..", "workerAddress": "0x14dC..", "signature":
 * "0x4da5.."}` answers `{"success": true, "claimId": "0x0647.."}`.
 */
export const createClaim = defineWrite(entry, {
  body: z.object({
    taskId: bytes32Text.optional(),
    workerAddress: addressText,
    signature: signatureText.meta({
      description:
        'EIP-191 by the worker over `service:claim:<taskId>`, the task id in lower case; `service:claim:<taskId>:<round>` ' +
        'when the task’s `claimRound` is not 0.',
    }),
    termsHash: bytes32Text.optional().meta({
      description:
        '`termsHash` of the task as the worker read it: refused when the terms have changed since. The terms at the time ' +
        'of this request unless given.',
    }),
  }),
  response: z.object({ success: z.boolean(), claimId: hashOut }),
  load: (deps, { taskId }) => loadTaskSnapshot(deps.sql, taskId),
  facts: {
    termsHash: (task) => presentTermsOf(task),
    stake: (task) => stakeOf(task),
    claimRound: (task) => task.claimRound,
  },
  mode: (task) => (stakeOf(task) > 0n ? 'paid' : 'signed'),
  preflight: (task, { workerAddress: worker, termsHash }, { actor, now }) =>
    admit('claim', task, { actor, now, args: { worker, termsHash } }),
  // A later round has other terms: the expiry has passed and must be moved before a worker can claim again.
  content: async (_deps, task) => ({ content: {}, resultInputs: { round: String(task.claimRound) } }),
  result: (minedWrite) => {
    const { taskId, worker } = getMarketEvent(minedWrite, 'TaskWorkerSelected')
    return { body: { success: true, claimId: toClaimId(taskId, { worker, round: Number(minedWrite.facts.round) }) } }
  },
})

/**
 * Returns the hash of the task's present terms. For a mode that this service does not know, returns zero. The claim is
 * then refused, because no task has a terms hash of zero.
 */
function presentTermsOf(task: TaskSnapshot): Hex {
  return termsHashOf(task) ?? zeroHash
}
