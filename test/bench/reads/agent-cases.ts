import type { PendingQuery, Row } from 'postgres'
import type { Database } from '../../../api/db/client.ts'
import { addressOf, type ReadCase } from './cases.ts'

type Fragment = PendingQuery<Row[]>

/**
 * The leaderboard: every filter and every sort, each with values that are common, rare and matched by nothing, the
 * deepest page of each order; and an agent's own record.
 */
export async function listAgentCases(sql: Database): Promise<ReadCase[]> {
  const { address, agentId } = await someAgent(sql)
  const withTag = sql`address in (
    select worker from agent_skill where tag_hash = (select hash from service.tag_texts where text = 'tag0'))`
  const pages = [
    ['no filter', ''],
    ['a hundred', 'limit=100'],
    ['deepest offset', `offset=${await deepest(sql, sql`ranked`)}`],
    ['tasks', 'sort=tasks'],
    ['tasks, deepest offset', `sort=tasks&offset=${await deepest(sql, sql`ranked`)}`],
    ['agents', 'actorType=agent'],
    ['agents by tasks', 'actorType=agent&sort=tasks'],
    ['agents, deepest offset', `actorType=agent&offset=${await deepest(sql, sql`agent_id is not null`)}`],
    ['humans', 'actorType=human'],
    ['humans by tasks', 'actorType=human&sort=tasks'],
    ['humans, deepest offset', `actorType=human&offset=${await deepest(sql, sql`ranked and agent_id is null`)}`],
    ['least rating', 'minRating=5'],
    ['least rating by tasks', 'minRating=5&sort=tasks'],
    ['tasks, some', 'minTasks=1'],
    ['tasks, many', 'minTasks=300'],
    ['tasks, rare', `minTasks=${await rareTasks(sql)}`],
    ['tasks, none', 'minTasks=2000000000'],
    ['tasks, many, deepest offset', `minTasks=300&offset=${await deepest(sql, sql`completed_tasks >= 300`)}`],
    ['tasks, rare, by tasks', `minTasks=${await rareTasks(sql)}&sort=tasks`],
    ['agents with many tasks', 'actorType=agent&minTasks=300&minRating=5'],
    ['skill common', 'skill=TAG0'],
    ['skill uncommon', 'skill=tag19'],
    ['skill rare', `skill=${await rareSkill(sql)}`],
    ['skill none', 'skill=nothing'],
    ['skill common by tasks', 'skill=tag0&sort=tasks'],
    ['skill rare by tasks', `skill=${await rareSkill(sql)}&sort=tasks`],
    ['skill common, deepest offset', `skill=tag0&offset=${await deepest(sql, withTag)}`],
    ['search address 1', 'search=0xa'],
    ['search address 3', `search=${address.slice(0, 5)}`],
    ['search address', `search=${address}`],
    ['search address none', `search=${addressOf('nobody', 0)}`],
    ['search id', `search=${agentId}`],
    ['search id 2 none', 'search=42'],
    ['search id 3', `search=${agentId.slice(0, 3)}`],
    ['search id none', 'search=99999999'],
    ['all at once', `actorType=agent&minTasks=2&minRating=3&skill=tag0&search=0x`],
    ['all at once, next to none', `actorType=agent&minTasks=300&skill=${await rareSkill(sql)}&search=0xa`],
  ].map(([name = '', query = '']) => ({ name: `leaderboard ${name}`, path: `/api/agents/leaderboard?${query}` }))
  return [
    ...pages,
    { name: 'count', path: '/api/agents/count' },
    { name: 'stats by address', path: `/api/agents/stats?address=${address}` },
    { name: 'stats by id', path: `/api/agents/stats?agentId=${agentId}` },
  ]
}

async function someAgent(sql: Database): Promise<{ address: string; agentId: string }> {
  const [row] = await sql<{ address: string; agentId: bigint }[]>`
    select address, agent_id from agent where agent_id > 200 and completed_tasks > 2 order by address limit 1`
  return { address: row?.address ?? '', agentId: String(row?.agentId ?? '') }
}

/** The largest offset that is allowed and has a full page behind it. */
async function deepest(sql: Database, condition: Fragment): Promise<number> {
  const [row] = await sql<{ count: bigint }[]>`select count(*) as count from agent where ${condition}`
  return Math.max(0, Math.min(10_000, Number(row?.count ?? 0n) - 20))
}

/** So many tasks that two agents have as many. */
async function rareTasks(sql: Database): Promise<number> {
  const [row] = await sql<{ completedTasks: number }[]>`
    select completed_tasks from agent order by completed_tasks desc offset 1 limit 1`
  return row?.completedTasks ?? 0
}

async function rareSkill(sql: Database): Promise<string> {
  const [row] = await sql<{ text: string }[]>`
    select t.text from agent_skill s join service.tag_texts t on t.hash = s.tag_hash
    where t.text like 'rare%' group by t.text order by count(*), 1 limit 1`
  return row?.text ?? ''
}
