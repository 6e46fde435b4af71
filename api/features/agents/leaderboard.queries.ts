import type { Hex } from 'viem'
import { GRAM_LENGTH, listIdGrams, REPUTATION_SCALE } from '../../../protocol/rules/agent-rank.ts'
import type { Queryable } from '../../db/client.ts'
import type { ActorType } from '../../domain/actor-type.ts'
import type { AgentRow } from './agents.mapper.ts'
import { agentColumns } from './agents.queries.ts'

/** The filters of the leaderboard. A filter that is absent excludes no agent. */
export interface LeaderboardFilter {
  /** The hashes of tags. An agent matches if the agent was awarded a task with at least one of these tags. */
  tagHashes?: readonly Hex[]
  search?: string
  /**
   * The minimum of the mean rating, in millionths. Agents with a lower mean are left out. The mean is computed as if
   * each agent had ten more ratings of 50.
   */
  minRatingMillionths?: bigint
  minTasks?: number
  actorType?: ActorType
}

/** The orders in which a client can request the leaderboard. */
export const leaderboardOrders = ['reputation', 'tasks'] as const

export interface LeaderboardPage {
  order: (typeof leaderboardOrders)[number]
  limit: number
  offset: number
  /** A number of agents that replaces `NEAR` in a test. Absent outside of tests. */
  near?: number
}

/**
 * The number of agents that a search for three digits of an id looks at first. These agents are the first in the
 * requested order. If too few of them match to fill the page, the search uses the trigram index instead.
 */
const NEAR = 10_000

/** Returns a page of the leaderboard in the requested order. */
export async function listLeaderboard(
  sql: Queryable,
  filter: LeaderboardFilter,
  page: LeaderboardPage,
): Promise<AgentRow[]> {
  const search = parseSearch(filter.search)
  if (search === null) return []
  return await sql<AgentRow[]>`
    with page as (
      ${search.idPart === undefined ? pageOf(sql, filter, { ...page, search }) : pageOfIdPart(sql, filter, { ...page, idPart: search.idPart })}
    )
    select ${agentColumns(sql)} from page join agent a on a.address = page.address
    order by ${orderBy(sql, 'page', page)}`
}

function orderBy(sql: Queryable, table: string, { order }: Pick<LeaderboardPage, 'order'>) {
  return order === 'reputation'
    ? sql`${sql(table)}.reputation desc, ${sql(table)}.completed_tasks desc, ${sql(table)}.address`
    : sql`${sql(table)}.completed_tasks desc, ${sql(table)}.reputation desc, ${sql(table)}.address`
}

function pageOf(
  sql: Queryable,
  filter: LeaderboardFilter,
  { search, limit, offset, ...page }: LeaderboardPage & { search: Search },
) {
  const { agentId, prefix } = search
  return sql`
    select a.address, a.reputation, a.completed_tasks from agent a
    where a.ranked ${conditions(sql, filter)}
      ${agentId === undefined ? sql`` : sql`and a.agent_id = ${agentId}::numeric`}
      ${prefix === undefined ? sql`` : sql`and a.address between ${prefix.padEnd(42, '0')} and ${prefix.padEnd(42, 'f')}`}
    order by ${orderBy(sql, 'a', page)} limit ${limit} offset ${offset}`
}

/**
 * Returns the SQL that finds agents by a part of their id. If the part has three digits, the SQL first looks at the
 * first `near` agents in the requested order, and searches all agents only if too few of the `near` agents match to
 * fill the page. If the part has more than three digits, the SQL searches all agents at once. Searches of all agents
 * use trigrams.
 */
function pageOfIdPart(
  sql: Queryable,
  filter: LeaderboardFilter,
  {
    idPart,
    limit,
    offset,
    near = idPart.length > GRAM_LENGTH ? 0 : NEAR,
    ...page
  }: LeaderboardPage & { idPart: string },
) {
  // About one id in two hundred contains three given digits, so the first agents usually fill the page. The planner
  // cannot estimate this, so the statement itself chooses the way.
  const pattern = `%${idPart}%`
  return sql`
    with near as materialized (
      select a.address, a.reputation, a.completed_tasks
      from (
        select a.address, a.reputation, a.completed_tasks, a.agent_id from agent a
        where a.ranked and a.agent_id is not null order by ${orderBy(sql, 'a', page)} limit ${near}
      ) as a
      where a.agent_id::text like ${pattern} ${conditions(sql, filter)}
      order by ${orderBy(sql, 'a', page)} limit ${offset + limit}
    ), far as (
      select a.address, a.reputation, a.completed_tasks from agent a
      where (select count(*) from near) < ${offset + limit} and a.ranked ${conditions(sql, filter)}
        and a.agent_id in (
          select i.agent_id from identity i
          where i.id_grams @> ${listIdGrams(idPart)}::text[] and i.agent_id::text like ${pattern})
    ), found as (
      select * from near where (select count(*) from near) >= ${offset + limit} union all select * from far
    )
    select * from found order by ${orderBy(sql, 'found', page)} limit ${limit} offset ${offset}`
}

/**
 * Lists the hashes of all tags that equal the given skill if case is ignored. The leaderboard treats these tags as one
 * skill.
 */
export async function listTagHashes(sql: Queryable, skill: string): Promise<Hex[]> {
  const rows = await sql<{ hash: Hex }[]>`
    select hash from service.tag_texts where folded = service.folded_tag(${skill}) and hash is not null`
  return rows.map(({ hash }) => hash)
}

function conditions(sql: Queryable, { tagHashes, minRatingMillionths, minTasks, actorType }: LeaderboardFilter) {
  const ofType = actorType === 'agent' ? sql`and a.agent_id is not null` : sql`and a.agent_id is null`
  return sql`
    ${actorType === undefined ? sql`` : ofType}
    ${minTasks === undefined ? sql`` : sql`and a.completed_tasks >= ${minTasks}`}
    ${minRatingMillionths === undefined ? sql`` : sql`and a.reputation >= ${leastReputation(minRatingMillionths)}::numeric`}
    ${tagHashes === undefined ? sql`` : skillCondition(sql, tagHashes)}`
}

/**
 * Converts a minimum of the mean rating, in millionths, to the unit of the column `agent.reputation`. The conversion
 * does not round, because `REPUTATION_SCALE` is a multiple of a million.
 */
function leastReputation(millionths: bigint): string {
  return String((millionths * REPUTATION_SCALE) / 1_000_000n)
}

/** Returns the SQL condition that an agent has at least one of the skills. */
function skillCondition(sql: Queryable, tagHashes: readonly Hex[]) {
  // The hashes are parameters of the statement, because the planner selects the index by the frequency of the hashes.
  return sql`
    and exists (
      select from agent_skill s where s.worker = a.address and s.tag_hash = any(${tagHashes as Hex[]}::text[]))`
}

/**
 * A parsed search of the leaderboard. At most one of the fields is set. If none is set, the search matches every agent.
 */
interface Search {
  /** The first characters of the addresses to find, in lower case. */
  prefix?: string
  agentId?: string
  /** A sequence of digits. If set, the search finds the agents whose id contains this sequence. */
  idPart?: string
}

/**
 * Parses a search. Returns null if no agent can match. See the interface specification, "Agents, inbox, action queue".
 */
function parseSearch(search: string | undefined): Search | null {
  const text = search?.toLowerCase() ?? ''
  // Every address begins with 0x.
  if ('0x'.startsWith(text)) return {}
  if (/^0x[0-9a-f]{1,40}$/.test(text)) return { prefix: text }
  if (!/^[0-9]{1,78}$/.test(text)) return null
  if (text.length >= GRAM_LENGTH) return { idPart: text }
  // A whole id begins with no zero; `0` itself is the beginning of every address.
  return text.startsWith('0') ? null : { agentId: text }
}
