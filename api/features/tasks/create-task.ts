import { randomBytes } from 'node:crypto'
import { type Address, keccak256, stringToBytes, toHex, zeroAddress } from 'viem'
import { z } from 'zod'
import { type AuctionType, toAuctionSelector, toModeSelector } from '../../../src/rules/selectors.ts'
import { encodeMarketCall } from '../../chain/market-call.ts'
import { getMarketEvent } from '../../chain/market-events.ts'
import { admitCreation } from '../../domain/creation/admit-creation.ts'
import { admitToDrop } from '../../domain/creation/drop.ts'
import { toEvaluatorTerms } from '../../domain/creation/evaluation.ts'
import { toOwnHooks } from '../../domain/creation/hooks.ts'
import { type TaskTexts, toTaskDocument } from '../../domain/documents/task-document.ts'
import type { PasswordHasher } from '../../identity/password-hasher.ts'
import type { TaskAccessContent } from '../../intents/content.ts'
import { loadCreationMarket } from '../../read-model/creation-market.queries.ts'
import { defineWrite } from '../../writes/define-write.ts'
import { type CreateTaskBody, createTaskBody, createTaskResponse } from './create-task.schemas.ts'
import { dropContentOf } from './drops/drop-content.ts'
import { findDropFacts } from './drops/task-drops.queries.ts'

const NO_SELECTOR = '0x00000000'
const noEvaluator = { evaluator: zeroAddress, resolver: zeroAddress, feeBps: 0, evaluationWindow: 0, appealWindow: 0 }

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
  legs: ['paid'],
  leg: () => 'paid',
  charge: (_market, { body }) => ({ amount: body.reward, escrow: body.reward }),
  preflight: (market, { body }, { actor }) =>
    admitCreation(body, market, { requester: actor }) ?? admitToDrop(body, market.drop, actor),
  prepare: async ({ deployment, chain, passwords }, _market, { body }, requester) => {
    const texts = textsOf(body)
    const { text: document, hash: contentHash } = toTaskDocument(texts, toHex(randomBytes(32)))
    const call = encodeMarketCall(deployment.market, 'createTask', [{ ...termsOf(body), contentHash }])
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

/** The terms of the contract; a private task tells the chain nothing about itself. */
function termsOf(body: CreateTaskBody) {
  const { mode, reward, duration, tags, taskVisibility, stakeRequired, stakeBps, evaluator, hookData } = body
  const auctionType = mode === 'auction' ? body.auctionType : undefined
  return {
    mode: toModeSelector(mode),
    auctionType: auctionType === undefined ? NO_SELECTOR : toAuctionSelector(auctionType),
    reward,
    duration: Number(duration),
    pitchDuration: mode === 'pitch' ? Number(body.pitchDeadline ?? 0n) : 0,
    bidDuration: mode === 'auction' ? Number(body.bidDeadline ?? 0n) : 0,
    clockPrice: clockPriceOf(auctionType, body),
    stakeBps: stakeRequired ? stakeBps : 0,
    tags: taskVisibility === 'private' ? [] : tags.map((tag) => keccak256(stringToBytes(tag))),
    listed: taskVisibility === 'public',
    evaluation: evaluator === undefined ? noEvaluator : toEvaluatorTerms({ ...body, evaluator }),
    hooks: toOwnHooks(body),
    hookData: hookData ?? '0x',
  } as const
}

/** The price a clock auction ends at or starts from; zero where no clock runs. */
function clockPriceOf(auctionType: AuctionType | undefined, body: CreateTaskBody): bigint {
  if (auctionType === 'dutch') return body.auctionFloorPrice ?? 0n
  return auctionType === 'reverse_dutch' ? (body.auctionStartPrice ?? 0n) : 0n
}
