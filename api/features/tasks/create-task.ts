import { randomBytes } from 'node:crypto'
import { type Address, toHex } from 'viem'
import { z } from 'zod'
import { toCreateTaskParams } from '../../../protocol/creation/create-task-params.ts'
import { toOwnHooks } from '../../../protocol/creation/own-hooks.ts'
import { type TaskTexts, toTaskDocument } from '../../../protocol/documents/task-document.ts'
import { encodeMarketCall } from '../../chain/market-call.ts'
import { getMarketEvent } from '../../chain/market-events.ts'
import { admitCreation } from '../../domain/creation/admit-creation.ts'
import { admitToDrop } from '../../domain/creation/drop.ts'
import { MAX_REWARD, MIN_REWARD } from '../../domain/limits.ts'
import type { PasswordHasher } from '../../identity/password-hasher.ts'
import type { TaskAccessContent } from '../../intents/content.ts'
import { loadCreationMarket } from '../../read-model/creation-market.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'
import { type CreateTaskBody, createTaskBody, createTaskResponse } from './create-task.schemas.ts'
import { dropContentOf } from './drops/drop-content.ts'
import { findDropFacts } from './drops/task-drops.queries.ts'

/** A shorter or smaller task uses a unit of the rate limit `writes`. */
const LEAST_DURATION_SECONDS = 3_600n
const LEAST_REWARD = 1_000_000n

/** Spec, "Create task". The payer is the requester; the payment is the reward. */
export const createTask = defineWrite({
  operation: 'tasks.create',
  operationId: 'createTask',
  summary: 'Create a task and escrow its reward',
  description:
    'Paid: exactly the reward, all of which goes into escrow. Windows are rounded up to whole seconds, one second to ' +
    'ten years. Fields of modes other than the requested one are ignored.',
  path: '/tasks',
  params: z.object({}),
  body: createTaskBody,
  secrets: ['accessPassword'],
  response: createTaskResponse,
  load: async ({ sql }, { body: { taskDropId } }) => {
    const [market, drop] = await Promise.all([
      loadCreationMarket(sql),
      taskDropId === undefined ? null : findDropFacts(sql, taskDropId),
    ])
    return { ...market, drop }
  },
  modes: ['paid'],
  answersProbes: true,
  // A creation costs nothing but the escrow, which comes back.
  returnsUnit: ({ body: { duration, reward } }) => duration >= LEAST_DURATION_SECONDS && reward >= LEAST_REWARD,
  price: { min: MIN_REWARD, max: MAX_REWARD, is: 'the reward, all of which goes into escrow' },
  charge: (_market, { body }) => ({ amount: body.reward, escrow: body.reward }),
  preflight: (market, { body }, { actor }) =>
    admitCreation(body, market, { requester: actor }) ?? admitToDrop(body, market.drop, actor),
  prepare: async ({ deployment, chain, passwords }, _market, { body }, requester) => {
    const texts = textsOf(body)
    const { text: document, hash: contentHash } = toTaskDocument(texts, toHex(randomBytes(32)))
    const call = encodeMarketCall(deployment.market, 'createTask', [{ ...toCreateTaskParams(body), contentHash }])
    const { timestamp: now } = await chain.head()
    const access = body.taskVisibility === 'private' ? await accessOf(passwords, body, requester) : null
    const { taskDropId, ...drop } = dropContentOf(body, { requester, contentHash, now })
    return {
      ...call,
      bringsHooks: toOwnHooks(body).length > 0,
      content: { task: { requester, contentHash, document, ...texts, ...(access && { access }) }, ...drop },
      facts: { ...(taskDropId !== null && { taskDropId }) },
    }
  },
  result: (mined) => {
    const { taskId } = getMarketEvent(mined, 'TaskCreated')
    return {
      body: { success: true, taskId, intentId: mined.intentId, taskDropId: mined.facts.taskDropId ?? null },
      taskId,
    }
  },
})

/** Of the password only a slow hash is kept. The requester needs no invitation, and no viewer needs two. */
async function accessOf(
  passwords: PasswordHasher,
  { allowedViewers = [], accessPassword }: CreateTaskBody,
  requester: Address,
): Promise<TaskAccessContent> {
  return {
    passwordHash: accessPassword === undefined ? null : await passwords.hash(accessPassword),
    viewers: [...new Set(allowedViewers)].filter((viewer) => viewer !== requester),
  }
}

function textsOf(body: CreateTaskBody): TaskTexts {
  const { description, tags, taskVisibility, submissionVisibility } = body
  return {
    description,
    tags,
    taskVisibility,
    submissionVisibility,
    metricDescription: body.metricDescription ?? null,
    metricTarget: body.metricTarget ?? null,
  }
}
