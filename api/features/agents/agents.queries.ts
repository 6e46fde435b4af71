import type { Address, Hex } from 'viem'
import type { Queryable } from '../../db/client.ts'
import type { AgentRow } from './agents.mapper.ts'

const MAX_SKILLS = 20
/**
 * The largest number of tags that one query reads to find an agent's skills. If an agent has more tags, the query reads
 * only the tags that occur in the largest numbers of the agent's awarded tasks.
 */
const MAX_COUNTED_TAGS = 200

/** Returns the columns of an `AgentRow`. The statement must name the table `agent` as `a`. */
export function agentColumns(sql: Queryable) {
  return sql`
    a.address, a.agent_id, a.completed_tasks, a.distinct_requesters, a.rated_tasks, a.rated_volume, a.total_stars,
    a.total_earnings`
}

/** Returns the agent with an address, or null if the indexer has no record of the address. */
export async function findAgent(sql: Queryable, address: Address): Promise<AgentRow | null> {
  const rows = await sql<AgentRow[]>`select ${agentColumns(sql)} from agent a where a.address = ${address}`
  return rows[0] ?? null
}

/**
 * Returns the agent that owns an ERC-8004 id. Returns null if the owner of the id has not claimed the id in this
 * market. One agent may have several ids.
 */
export async function findAgentOfId(sql: Queryable, agentId: bigint): Promise<AgentRow | null> {
  const rows = await sql<AgentRow[]>`
    select ${agentColumns(sql)}
    from identity i join agent a on a.address = i.owner
    where i.agent_id = ${String(agentId)}::numeric and i.owner = i.claimed_by`
  return rows[0] ?? null
}

/**
 * Lists the skills of each agent: the tags of the public tasks that the agent was awarded. The most frequent tag is
 * first. Tags that differ only in case are one skill, which is shown in its most frequent case.
 */
export async function listSkills(sql: Queryable, addresses: readonly Address[]): Promise<Map<Address, string[]>> {
  if (addresses.length === 0) return new Map()
  const rows = await sql<{ worker: Address; skills: string[] }[]>`
    select given.worker, array(
      select skill.text
      from (
        select distinct on (tag.folded)
          tag.text, sum(counted.task_count) over (partition by tag.folded) as task_count
        from (
          select tag_hash, task_count from agent_skill
          where worker = given.worker order by task_count desc, tag_hash limit ${MAX_COUNTED_TAGS}
        ) as counted
        join service.tag_texts tag on tag.hash = counted.tag_hash
        order by tag.folded, counted.task_count desc, tag.text collate "C"
      ) as skill
      order by skill.task_count desc, skill.text collate "C" limit ${MAX_SKILLS}
    ) as skills
    from unnest(${addresses as Address[]}::text[]) as given(worker)`
  return new Map(rows.map(({ worker, skills }) => [worker, skills]))
}

/**
 * A rating with its texts, as they are stored in the database. The service may send the texts only to callers who may
 * read them.
 */
export interface RatingRow {
  taskId: Hex
  worker: Address
  rating: number
  ratedAt: bigint
  description: string | null
  feedbackText: string | null
}

/** Lists the newest ratings of a worker, the newest first. */
export async function listRatings(sql: Queryable, worker: Address, limit: number): Promise<RatingRow[]> {
  return await sql<RatingRow[]>`
    select r.task_id, r.worker, r.rating, r.rated_at, c.description, content.feedback_text
    from (
      select * from rating where worker = ${worker}
      order by rated_at desc, block_number desc, log_index desc limit ${limit}
    ) as r
    join task t on t.id = r.task_id
    left join service.task_content c on c.requester = t.requester and c.content_hash = t.content_hash
    left join service.feedback_content content
      on content.task_id = r.task_id and content.worker = r.worker and content.feedback_hash = r.feedback_hash
    order by r.rated_at desc, r.block_number desc, r.log_index desc`
}

/**
 * Returns the number of agents, and the sum that workers earned in listed tasks, in base units of USDC. A task is
 * listed if the requester listed the task on chain. Awards of a requester to itself do not count.
 */
export async function countAgents(sql: Queryable): Promise<{ agentCount: number; listedEarnings: bigint }> {
  const rows = await sql<{ agentCount: number; listedEarnings: bigint }[]>`
    select agent_count, listed_earnings from market_stats`
  return rows[0] ?? { agentCount: 0, listedEarnings: 0n }
}
