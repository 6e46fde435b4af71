import type { Context } from 'hono'
import type { Address } from 'viem'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { isShownInRecord } from '../../domain/visibility.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { address, wholeNumber } from '../../http/request-schemas.ts'
import { type CallerDeps, callerOf } from '../../identity/caller.ts'
import { listTaskAccess } from '../../read-model/task-visibility.queries.ts'
import { defineRoute } from '../define-route.ts'
import { type AgentRow, type ShownRating, toAgentStats } from './agents.mapper.ts'
import { findAgent, findAgentOfId, listRatings, listSkills } from './agents.queries.ts'
import { agentStatsSchema } from './agents.schemas.ts'

const MAX_RATINGS = 10
/** The largest number of digits in an ERC-8004 id: 2^256 - 1 has 78 decimal digits. */
const MAX_ID_DIGITS = 78

/**
 * Returns the record of a worker. See the specification, "Agents and identity".
 *
 * Example: `GET /api/agents/stats` answers `{"address": "0x14dC..", "agentId": null, "actorType": "human",
 * "completedTasks": 5, ..}`.
 */
export const getAgentStats = defineRoute({
  operationId: 'getAgentStats',
  method: 'get',
  path: '/agents/stats',
  tag: 'agents',
  summary: 'Get the record of a worker',
  description:
    'By exactly one of `address` and `agentId`; zeros for an address without a record. Awards and ratings stand on ' +
    'chain and are public, and count over tasks of every visibility; texts of a task are shown to callers who may see ' +
    'them there, of tasks that are listed or that the caller has a part in.',
  query: z
    .object({ address: address.optional(), agentId: wholeNumber(MAX_ID_DIGITS).optional() })
    .refine((query) => (query.address === undefined) !== (query.agentId === undefined), {
      error: 'exactly one of address and agentId must be given',
    }),
  audience: 'caller',
  responses: {
    200: { description: 'The record.', schema: agentStatsSchema },
    404: { description: 'No account owns this ERC-8004 id as its agent.' },
  },
  handler: async (deps, { query }, context) => {
    const agent = await findRow(deps, query)
    const [skills, ratings] = await Promise.all([
      listSkills(deps.sql, [agent.address]),
      listShownRatings(deps, context, agent.address),
    ])
    return toAgentStats(agent, skills.get(agent.address) ?? [], ratings)
  },
})

async function findRow(
  { sql }: Pick<Deps, 'sql'>,
  { address, agentId }: { address?: Address | undefined; agentId?: bigint | undefined },
): Promise<AgentRow> {
  if (address !== undefined) return (await findAgent(sql, address)) ?? withoutRecord(address)
  const row = agentId === undefined ? null : await findAgentOfId(sql, agentId)
  if (row === null)
    throw new ServiceError(404, 'unclassified', 'There is no agent with this id.', { detail: 'agent_not_found' })
  return row
}

function withoutRecord(address: Address): AgentRow {
  return {
    address,
    agentId: null,
    completedTasks: 0,
    distinctRequesters: 0,
    ratedTasks: 0,
    ratedVolume: 0n,
    totalStars: 0,
    totalEarnings: 0n,
  }
}

/** Lists the newest ratings of a worker. Replaces each text that the caller may not read with null. */
async function listShownRatings(deps: CallerDeps, context: Context, worker: Address): Promise<ShownRating[]> {
  const [rows, caller] = await Promise.all([listRatings(deps.sql, worker, MAX_RATINGS), callerOf(context, deps)])
  const accessOfTasks = await listTaskAccess(
    deps.sql,
    rows.map(({ taskId }) => taskId),
  )
  const viewer = { address: caller, holdsGrant: false }
  return rows.map((row) => {
    const access = accessOfTasks.get(row.taskId)
    const isShown = (resource: 'task' | 'feedback') =>
      access !== undefined && isShownInRecord(resource, access, { worker, viewer })
    return {
      ...row,
      description: isShown('task') ? row.description : null,
      feedbackText: isShown('feedback') ? row.feedbackText : null,
    }
  })
}
