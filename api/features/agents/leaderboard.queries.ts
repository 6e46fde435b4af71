import type { Hex } from 'viem'
import { GRAM_LENGTH, listIdGrams, REPUTATION_SCALE } from '../../../src/rules/agent-rank.ts'
import type { Queryable } from '../../db/client.ts'
import type { AgentRow } from './agents.mapper.ts'
import { agentColumns } from './agents.queries.ts'

/** What the leaderboard may be narrowed to. Absent: not narrowed. */
export interface LeaderboardFilter {
  /** Hashes of tags, of which it was awarded one at least. */
  tagHashes?: readonly Hex[]
  search?: string
  /** Least shrunk mean, in millionths. */
  minRatingMillionths?: bigint
  minTasks?: number
  actorType?: 'agent' | 'human'
}

export interface LeaderboardPage {
  order: 'reputation' | 'tasks'
  limit: number
  offset: number
}

/**
 * A page of the population in order. The page is found in an index of its order, which holds every column that is asked
 * for but those of `tagHashes` and `search`; the rest of its rows is read by their keys.
 */
export async function listLeaderboard(
  sql: Queryable,
  filter: LeaderboardFilter,
  { order, limit, offset }: LeaderboardPage,
): Promise<AgentRow[]> {
  const found = searchCondition(sql, filter.search)
  if (found === null) return []
  const orderBy = (table: 'a' | 'page') =>
    order === 'reputation'
      ? sql`${sql(table)}.reputation desc, ${sql(table)}.completed_tasks desc, ${sql(table)}.address`
      : sql`${sql(table)}.completed_tasks desc, ${sql(table)}.reputation desc, ${sql(table)}.address`
  return await sql<AgentRow[]>`
    with page as (
      select a.address, a.reputation, a.completed_tasks from agent a
      where a.ranked ${found} ${conditions(sql, filter)}
      order by ${orderBy('a')} limit ${limit} offset ${offset}
    )
    select ${agentColumns(sql)} from page join agent a on a.address = page.address order by ${orderBy('page')}`
}

/** Tags with this text in any case: on chain they are different tags, and here the same skill. */
export async function listTagHashes(sql: Queryable, skill: string): Promise<Hex[]> {
  const rows = await sql<{ hash: Hex }[]>`
    select hash from service.tag_texts where lower(text) = lower(${skill}) and hash is not null`
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

/** The scale is a multiple of a million: the least number is exact, and so is the comparison. */
function leastReputation(millionths: bigint): string {
  return String((millionths * REPUTATION_SCALE) / 1_000_000n)
}

/** The hashes are values of the statement: how many agents have a tag decides which index is read. */
function skillCondition(sql: Queryable, tagHashes: readonly Hex[]) {
  return sql`
    and exists (
      select from agent_skill s where s.worker = a.address and s.tag_hash = any(${tagHashes as Hex[]}::text[]))`
}

/** Interface, "Agents, inbox, action queue". Null: nothing can match. */
function searchCondition(sql: Queryable, search: string | undefined) {
  const text = search?.toLowerCase() ?? ''
  // Every address begins like this.
  if ('0x'.startsWith(text)) return sql``
  if (/^0x[0-9a-f]{1,40}$/.test(text)) {
    // Addresses have one length, so that their order as texts is that of the numbers.
    return sql`and a.address between ${text.padEnd(42, '0')} and ${text.padEnd(42, 'f')}`
  }
  if (!/^[0-9]{1,78}$/.test(text)) return null
  if (text.length < GRAM_LENGTH) return sql`and a.agent_id = ${text}::numeric`
  return sql`
    and a.agent_id in (
      select i.agent_id from identity i
      where i.id_grams @> ${listIdGrams(text)}::text[] and i.agent_id::text like ${`%${text}%`})`
}
