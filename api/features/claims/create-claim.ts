import { z } from 'zod'
import { signatureSuffixOf } from '../../../protocol/claim-round.ts'
import { toClaimId } from '../../../protocol/rules/row-ids.ts'
import { encodeMarketCall } from '../../chain/market-call.ts'
import { getMarketEvent } from '../../chain/market-events.ts'
import { taskText } from '../../domain/action-request.ts'
import { admit } from '../../domain/actions/admit.ts'
import { MAX_REWARD } from '../../domain/limits.ts'
import { refuse } from '../../domain/refusal.ts'
import { stakeOf } from '../../domain/stake.ts'
import { termsHashOf } from '../../domain/terms-hash.ts'
import { address, bytes32, walletSignature } from '../../http/request-schemas.ts'
import { hashOut } from '../../http/response-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'

const bodySchema = z.object({
  taskId: bytes32.optional(),
  workerAddress: address,
  signature: walletSignature.meta({
    description:
      'EIP-191 by the worker over `service:claim:<taskId>`, the task id in lower case; `service:claim:<taskId>:<round>` ' +
      'when the task’s `claimRound` is not 0.',
  }),
  termsHash: bytes32.optional().meta({
    description:
      '`termsHash` of the task as the worker read it: refused when the terms have changed since. The terms at the time ' +
      'of this request unless given.',
  }),
})

/** Spec, "Claim, pitches, bids, proofs"; Interface, "Other rules" (stake, rounds). */
export const createClaim = defineWrite({
  operation: 'claims.create',
  operationId: 'createClaim',
  summary: 'Claim a task',
  description:
    'Free on the signature of the worker where the task asks for no stake; else paid by the worker: exactly the stake, ' +
    'all of which goes into escrow. Lands on the terms it was admitted on, or not at all. After a free claim that reverted on ' +
    'chain, the same signature needs the read-identity headers of the worker beside it.',
  path: '/tasks/{taskId}/claim',
  params: z.object({ taskId: bytes32 }),
  body: bodySchema,
  response: z.object({ success: z.boolean(), claimId: hashOut }),
  load: (deps, { params }) => loadTaskSnapshot(deps.sql, params.taskId),
  modes: ['signed', 'paid'],
  mode: (task) => (stakeOf(task) > 0n ? 'paid' : 'signed'),
  price: { min: 1n, max: MAX_REWARD, is: 'the stake of the task, which goes into escrow' },
  charge: (task) => ({ amount: stakeOf(task), escrow: stakeOf(task) }),
  preflight: (task, { body: { workerAddress: worker, termsHash } }, { actor, now }) =>
    admit('claim', task, { actor, now, args: { worker, termsHash } }),
  signed: ({ params, body }, task) => ({
    actor: body.workerAddress,
    signature: body.signature,
    text: taskText('claim', params.taskId),
    suffixes: [signatureSuffixOf(task)],
    agreesTo: { verb: 'claim', taskId: params.taskId },
  }),
  prepare: async ({ deployment }, task) => {
    const termsHash = termsHashOf(task)
    if (termsHash === null) return refuse(409, 'wrong_mode', 'This service does not know the terms of this task.')
    return {
      ...encodeMarketCall(deployment.market, 'claimTask', [task.id, termsHash]),
      content: {},
      // A later round has other terms: the expiry has passed and must be moved before a worker can claim again.
      facts: { round: String(task.claimRound) },
    }
  },
  result: (mined) => {
    const { taskId, worker } = getMarketEvent(mined, 'TaskWorkerSelected')
    return { body: { success: true, claimId: toClaimId(taskId, { worker, round: Number(mined.facts.round) }) } }
  },
})
