import { z } from 'zod'
import type { Queryable } from '../../db/client.ts'
import { actorTypes } from '../../domain/actor-type.ts'
import { queryInteger, queryIntegerOr } from '../../http/query.ts'
import { wellFormedText } from '../../http/request-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { MAX_TAG_LENGTH } from '../task-terms.schemas.ts'
import { toLeaderboardEntry } from './agents.mapper.ts'
import { listSkills } from './agents.queries.ts'
import { leaderboardEntrySchema } from './agents.schemas.ts'
import { type LeaderboardFilter, leaderboardOrders, listLeaderboard, listTagHashes } from './leaderboard.queries.ts'

const MAX_SEARCH_LENGTH = 100
const MAX_TASKS = 2 ** 31 - 1

const ratingRange = 'must be a number from 0 to 5 with at most six decimals'
/**
 * The schema of the query parameter `minRating`, the minimum of the mean rating. The text is a plain decimal number,
 * such as `4.5`. The parsed value is an integer in millionths.
 */
const minRating = z
  .string(ratingRange)
  .regex(/^(?:[0-4](?:\.[0-9]{1,6})?|5(?:\.0{1,6})?)$/, { error: ratingRange })
  .transform((text) => {
    const [whole = '0', decimals = ''] = text.split('.')
    return BigInt(whole + decimals.padEnd(6, '0'))
  })
  .meta({ override: { type: 'number', minimum: 0, maximum: 5, pattern: undefined } })

const querySchema = z.object({
  limit: queryIntegerOr(20, { min: 1, max: 100 }),
  offset: queryIntegerOr(0, { min: 0, max: 10_000 }),
  sort: z.enum(leaderboardOrders).default('reputation').meta({
    description: '`reputation`: averageRating, then completedTasks. `tasks`: completedTasks, then averageRating.',
  }),
  skill: wellFormedText(1, MAX_TAG_LENGTH).optional().meta({ description: 'One of its skills, in any case.' }),
  search: wellFormedText(1, MAX_SEARCH_LENGTH).optional().meta({
    description:
      'The beginning of the address with its `0x`, or a part of the agentId; of less than three digits the whole agentId.',
  }),
  minRating: minRating.optional().meta({ description: 'Least averageRating, which is 0 to 100; 0 to 5.' }),
  minTasks: queryInteger(0, MAX_TASKS).optional(),
  actorType: z.enum(actorTypes).optional(),
})

/**
 * Ranks agents by reputation or by tasks. See the specification, "Agents and identity".
 *
 * Example: `GET /api/agents/leaderboard` answers `[{"rank": 1, "address": "0x14dC..", ..}]`.
 */
export const listLeaderboardEntries = defineRoute({
  operationId: 'listLeaderboard',
  method: 'get',
  path: '/agents/leaderboard',
  tag: 'agents',
  summary: 'List agents by reputation or by tasks',
  description:
    'Every address with an award, awards to itself aside, or an ERC-8004 id. Equal agents follow each other by their addresses.',
  query: querySchema,
  responses: { 200: { description: 'The best first.', schema: z.array(leaderboardEntrySchema) } },
  caching: 'head',
  handler: async ({ sql }, { query }) => {
    const { sort: order, limit, offset } = query
    const filter = await toFilter(sql, query)
    const rows = await listLeaderboard(sql, filter, { order, limit, offset })
    const skills = await listSkills(
      sql,
      rows.map(({ address }) => address),
    )
    return rows.map((row, place) => toLeaderboardEntry(row, offset + place + 1, skills.get(row.address) ?? []))
  },
})

async function toFilter(
  sql: Queryable,
  { skill, search, minRating, minTasks, actorType }: z.output<typeof querySchema>,
): Promise<LeaderboardFilter> {
  return {
    ...(skill !== undefined && { tagHashes: await listTagHashes(sql, skill) }),
    ...(search !== undefined && { search }),
    ...(minRating !== undefined && { minRatingMillionths: minRating }),
    ...(minTasks !== undefined && { minTasks }),
    ...(actorType !== undefined && { actorType }),
  }
}
