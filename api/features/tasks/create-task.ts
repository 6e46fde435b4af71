import type { Address } from 'viem'
import { type Creation, documentOfCreation, createTask as entry } from '../../../protocol/operations/create-task.ts'
import { getMarketEvent } from '../../chain/market-events.ts'
import { admitCreation } from '../../domain/creation/admit-creation.ts'
import { admitToDrop } from '../../domain/creation/drop.ts'
import type { PasswordHasher } from '../../identity/password-hasher.ts'
import type { TaskAccessContent } from '../../intents/content.ts'
import { loadCreationMarket } from '../../read-model/creation-market.queries.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'
import { createTaskBody, createTaskResponse } from './create-task.schemas.ts'
import { dropContentOf } from './drops/drop-content.ts'
import { findDropFacts } from './drops/task-drops.queries.ts'

/**
 * The shortest duration, in seconds, of a task whose creation does not count against the rate limit `writes`. If the
 * duration is at least this long and the reward is at least `LEAST_REWARD`, the service gives back the unit of the rate
 * limit that the creation consumed.
 */
const LEAST_DURATION_SECONDS = 3_600n
/**
 * The smallest reward, in base units of USDC, of a task whose creation does not count against the rate limit `writes`
 * (see `LEAST_DURATION_SECONDS`).
 */
const LEAST_REWARD = 1_000_000n

/**
 * Creates a task and escrows its reward.
 *
 * Example: `POST /api/tasks` with `{"description": "Name this projec..", "reward": "2000000", "duration": 24, "tags":
 * ["naming"], ..}` answers `{"success": true, "taskId": "0x9d50..", "intentId": "a059..", "taskDropId": null}`.
 */
export const createTask = defineWrite(entry, {
  body: createTaskBody,
  secrets: ['accessPassword'],
  response: createTaskResponse,
  load: async ({ sql }, { taskDropId }) => {
    const [market, drop] = await Promise.all([
      loadCreationMarket(sql),
      taskDropId === undefined ? null : findDropFacts(sql, taskDropId),
    ])
    return { ...market, drop }
  },
  facts: {},
  answersProbes: true,
  // A creation costs only the escrow, which is returned.
  returnsUnit: ({ duration, reward }) => duration >= LEAST_DURATION_SECONDS && reward >= LEAST_REWARD,
  preflight: (market, creation, { actor }) =>
    admitCreation(creation, market, { requester: actor }) ?? admitToDrop(creation, market.drop, actor),
  content: async ({ chain, passwords }, _market, creation, { actor: requester }) => {
    const { text: document, hash: contentHash, texts } = documentOfCreation(creation)
    const { timestamp: now } = await chain.head()
    const access = creation.taskVisibility === 'private' ? await accessOf(passwords, creation, requester) : null
    const { taskDropId, ...drop } = dropContentOf(creation, { requester, contentHash, now })
    return {
      content: { task: { requester, contentHash, document, ...texts, ...(access && { access }) }, ...drop },
      ...(taskDropId !== null && { resultInputs: { taskDropId } }),
    }
  },
  result: (minedWrite) => {
    const { taskId } = getMarketEvent(minedWrite, 'TaskCreated')
    return {
      body: { success: true, taskId, intentId: minedWrite.intentId, taskDropId: minedWrite.facts.taskDropId ?? null },
      taskId,
    }
  },
})

/**
 * Returns the stored access settings of a private task: a slow hash of the password, and the viewers. Each viewer is
 * listed once. The requester is left out.
 */
async function accessOf(
  passwords: PasswordHasher,
  { allowedViewers = [], accessPassword }: Creation,
  requester: Address,
): Promise<TaskAccessContent> {
  return {
    passwordHash: accessPassword === undefined ? null : await passwords.hash(accessPassword),
    viewers: [...new Set(allowedViewers)].filter((viewer) => viewer !== requester),
  }
}
