import { randomBytes } from 'node:crypto'
import { toHex, zeroHash } from 'viem'
import { z } from 'zod'
import { reviseTexts } from '../../../protocol/documents/revise-texts.ts'
import { toTaskDocument } from '../../../protocol/documents/task-document.ts'
import { encodeMarketCall } from '../../chain/market-call.ts'
import { admit } from '../../domain/actions/admit.ts'
import { chargeOfUpdate } from '../../domain/actions/update.ts'
import { ACTION_FEE, MAX_REWARD } from '../../domain/limits.ts'
import { bytes32 } from '../../http/request-schemas.ts'
import { loadTaskSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'
import { findTaskDetail } from './task-detail.ts'
import { findTaskTexts } from './task-texts.queries.ts'
import { taskDetailSchema } from './tasks.schemas.ts'
import { updateTaskBody } from './update-task.schemas.ts'

/** Spec, "Lifecycle writes": update. */
export const updateTask = defineWrite({
  operation: 'tasks.update',
  operationId: 'updateTask',
  summary: 'Change the terms or texts of an open task',
  description:
    'Paid, requester only: 1000 base units and the increase of the reward, which goes into escrow. Increase and ' +
    'extension always; decrease and shortening never after the first submission or pitch; nothing in an auction with ' +
    'a bid. A deadline for pitches or bids stays where it is when the expiry moves. Answers the task.',
  path: '/tasks/{taskId}/update',
  params: z.object({ taskId: bytes32 }),
  body: updateTaskBody,
  response: taskDetailSchema,
  load: async ({ sql }, { params, body }) => {
    const task = await loadTaskSnapshot(sql, params.taskId)
    return task && { task, newTexts: reviseTexts(await findTaskTexts(sql, task.id), body) }
  },
  modes: ['paid'],
  price: {
    min: ACTION_FEE,
    max: ACTION_FEE + MAX_REWARD,
    is: 'the fee of an action, and what the reward grows by, which goes into escrow',
  },
  charge: ({ task }, { body }) => chargeOfUpdate(task, body),
  preflight: ({ task, newTexts }, { body }, { actor, now }) =>
    admit('update', task, { actor, now, args: { ...body, textsChange: newTexts !== null } }),
  prepare: async ({ deployment }, { task, newTexts }, { body }, requester) => {
    const document = newTexts && toTaskDocument(newTexts, toHex(randomBytes(32)))
    // A zero field keeps the present value.
    const terms = {
      taskId: task.id,
      reward: body.reward ?? 0n,
      expiryTime: Number(body.expiryTime ?? 0n),
      pitchDeadline: Number(body.pitchDeadline ?? 0n),
      bidDeadline: Number(body.bidDeadline ?? 0n),
      clockPrice: body.auctionFloorPrice ?? body.auctionStartPrice ?? 0n,
      contentHash: document?.hash ?? zeroHash,
    }
    return {
      ...encodeMarketCall(deployment.market, 'updateTask', [terms]),
      content: document
        ? { task: { requester, contentHash: document.hash, document: document.text, ...newTexts } }
        : {},
    }
  },
  result: ({ txHash }) => ({ body: { txHash } }),
  respond: async (deps, _result, { params }) => await findTaskDetail(deps, params.taskId),
})
