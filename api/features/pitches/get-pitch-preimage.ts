import { z } from 'zod'
import { commitToText } from '../../../protocol/documents/text-commitment.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { bytes32 } from '../../http/request-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { answerPreimage, preimageResponse } from '../preimage.ts'
import { getVisibleTask } from '../visible-task.ts'
import { findPitchPreimage, hasPitchContent } from './pitches.queries.ts'

/**
 * Serves the bytes from which the on-chain hash of a pitch is computed. See the specification, "Content verification
 * (raw bytes)".
 *
 * Example: `GET /api/tasks/0x9f0d../pitches/0x1a12../preimage` answers `text/plain; charset=utf-8`.
 */
export const getPitchPreimage = defineRoute({
  operationId: 'getPitchPreimage',
  method: 'get',
  path: '/tasks/{taskId}/pitches/{pitchId}/preimage',
  tag: 'pitches',
  summary: 'Get the raw bytes behind a pitch',
  description:
    'The lower-case 0x-hex of abi.encode(bytes32 taskId, address worker, string pitchText), without a line break; ' +
    'keccak256 of the bytes it denotes equals the pitch hash on chain.',
  params: z.object({ taskId: bytes32, pitchId: bytes32 }),
  audience: 'viewers',
  responses: {
    200: preimageResponse('pitch', 'The bytes in hex.'),
    404: { description: 'No such pitch that the caller may see, or one made without this service, which has no text.' },
    409: { description: 'The pitch has no hash on chain: its write is under way, or has failed.' },
  },
  handler: async (deps, { params: { taskId, pitchId } }, context) => {
    const { task } = await getVisibleTask(deps, context, taskId, 'pitches')
    const pitch = await findPitchPreimage(deps.sql, task.id, pitchId)
    if (pitch === null && (await hasPitchContent(deps.sql, task.id, pitchId))) {
      throw new ServiceError(409, 'unclassified', 'This pitch has no hash on chain: it was not anchored, or not yet.', {
        detail: 'not_anchored',
      })
    }
    if (pitch === null || pitch.pitchText === null) {
      throw new ServiceError(404, 'unclassified', 'There is no preimage of this pitch that you may see.', {
        detail: 'preimage_not_found',
      })
    }
    const { preimage } = commitToText({ taskId: task.id, worker: pitch.worker, text: pitch.pitchText })
    return answerPreimage(context, 'pitch', {
      body: preimage,
      hash: pitch.pitchHash,
      transactionHash: pitch.transactionHash,
    })
  },
})
