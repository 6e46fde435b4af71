import { z } from 'zod'
import { commitToText } from '../../../protocol/documents/text-commitment.ts'
import { isInScope } from '../../domain/visibility.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { bytes32 } from '../../http/request-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { answerPreimage, preimageResponse } from '../preimage.ts'
import { getVisibleTask } from '../visible-task.ts'
import { findProofPreimage } from './proofs.queries.ts'

/**
 * Serves the bytes from which the on-chain hash of a proof is computed. See the specification, "Content verification
 * (raw bytes)".
 *
 * Example: `GET /api/tasks/0x9f0d../proofs/0xb981../preimage` answers `text/plain; charset=utf-8`.
 */
export const getProofPreimage = defineRoute({
  operationId: 'getProofPreimage',
  method: 'get',
  path: '/tasks/{taskId}/proofs/{proofId}/preimage',
  tag: 'proofs',
  summary: 'Get the raw bytes behind a proof',
  description:
    'The lower-case 0x-hex of abi.encode(bytes32 taskId, address worker, string proofData), without a line break; ' +
    'keccak256 of the bytes it denotes equals the proof hash on chain.',
  params: z.object({ taskId: bytes32, proofId: bytes32 }),
  audience: 'viewers',
  responses: {
    200: preimageResponse('proof', 'The bytes in hex.'),
    404: { description: 'No such proof that the caller may see, or one made without this service, which has no data.' },
  },
  handler: async (deps, { params }, context) => {
    const { task, scope } = await getVisibleTask(deps, context, params.taskId, 'proofs')
    const proof = await findProofPreimage(deps.sql, task.id, params.proofId)
    if (proof === null || proof.proofData === null || !isInScope(scope, proof.worker)) {
      throw new ServiceError(404, 'unclassified', 'There is no preimage of this proof that you may see.', {
        detail: 'preimage_not_found',
      })
    }
    const { preimage } = commitToText({ taskId: task.id, worker: proof.worker, text: proof.proofData })
    return answerPreimage(context, 'proof', {
      body: preimage,
      hash: proof.proofHash,
      transactionHash: proof.transactionHash,
    })
  },
})
