import { createHash } from 'node:crypto'
import type { Database } from '../../../api/db/client.ts'
import { taskStatuses } from '../../../protocol/rules/task-status.ts'

/** A page, and what it stands for. */
export interface ReadCase {
  name: string
  /** With its query. */
  path: string
}

/** As load.sql makes them. */
export function addressOf(kind: string, number: number): string {
  return `0x${createHash('sha256').update(`${kind}${number}`).digest('hex').slice(0, 40)}`
}

/**
 * `GET /tasks`: every filter and every sort, each with values that are common, rare and matched by nothing, and what is worst of
 * both.
 */
export async function listCases(sql: Database): Promise<ReadCase[]> {
  const [many, few, unknown] = [addressOf('requester', 0), await rareRequester(sql), addressOf('unknown', 0)]
  const [busy, idle] = [addressOf('worker', 0), await rareWorker(sql)]
  const code = await someCode(sql)
  const [recent, middle, old] = [await cursorAt(sql, 0.99), await cursorAt(sql, 0.5), await cursorAt(sql, 0.01)]
  const [frequentWord, middleWord, rareWord] = ['qbbbox', 'qgbfox', 'qzvtox']
  return [
    ['no filter', ''],
    ...taskStatuses.map((status) => [`status ${status}`, `status=${status}`]),
    ...['active', 'in_review', 'awaiting_settlement', 'resolved'].map((phase) => [`phase ${phase}`, `phase=${phase}`]),
    ['phase and status', 'phase=resolved&status=expired'],
    ...['bounty', 'claim', 'pitch', 'benchmark', 'auction'].map((mode) => [`mode ${mode}`, `mode=${mode}`]),
    ...['english', 'reverse_english', 'dutch', 'reverse_dutch'].map((type) => [
      `subtype ${type}`,
      `auctionType=${type}`,
    ]),
    ['actor agent', 'requesterActorType=agent'],
    ['actor human', 'requesterActorType=human'],
    ['tag common', 'tags=tag0'],
    ['tag uncommon', 'tags=tag19'],
    ['tag rare', 'tags=rare77'],
    ['tag of nothing', 'tags=nowhere'],
    ['tags common and rare', 'tags=tag0&tags=rare77'],
    ['tags two common', 'tags=tag0,tag10'],
    ['reward wide', 'minReward=1000&maxReward=100000000'],
    ['reward narrow', 'minReward=123000000&maxReward=123100000'],
    ['reward of nothing', 'minReward=900000000000'],
    ['reward round', 'minReward=5000000&maxReward=5000000'],
    ['deadline near', 'deadlineHours=1'],
    ['deadline wide', 'deadlineHours=87600'],
    ['requester many', `requester=${many}`],
    ['requester few', `requester=${few}`],
    ['requester none', `requester=${unknown}`],
    ['worker many', `worker=${busy}`],
    ['worker few', `worker=${idle}`],
    ['worker none', `worker=${unknown}`],
    ['worker many, open to it', `worker=${busy}&phase=active`],
    ['drop of nothing', 'taskDropId=nowhere'],
    ['q frequent', `q=${frequentWord}`],
    ['q middle', `q=${middleWord}`],
    ['q rare', `q=${rareWord}`],
    ['q of nothing', 'q=nowhere'],
    ['q rare, open', `q=${rareWord}&status=open`],
    ['q of nothing, disputed', 'q=nowhere&status=disputed'],
    ['q of nothing, dearest', 'q=nowhere&sort=reward_desc'],
    ['q in every text', 'q=template'],
    ['q phrase', `q=${encodeURIComponent('"name every source"')}`],
    ['q code', `q=${code}`],
    ['relevance frequent', `q=${frequentWord}&sort=relevance`],
    ['relevance rare', `q=${rareWord}&sort=relevance`],
    ['relevance in every text', 'q=template&sort=relevance'],
    ['sort reward_desc', 'sort=reward_desc'],
    ['sort reward_asc', 'sort=reward_asc'],
    ['sort deadline_asc', 'sort=deadline_asc'],
    ['cheapest open', 'sort=reward_asc&status=open'],
    ['dearest open', 'sort=reward_desc&status=open'],
    ['dearest disputed', 'sort=reward_desc&status=disputed'],
    ['next to expire', 'sort=deadline_asc&phase=active'],
    ['dearest of a tag', 'sort=reward_desc&tags=tag0'],
    ['dearest of a rare tag', 'sort=reward_desc&tags=rare77'],
    ['dearest of a worker', `sort=reward_desc&worker=${busy}`],
    ['dearest of a requester', `sort=reward_desc&requester=${many}`],
    ['cursor recent', `cursor=${recent}`],
    ['cursor middle', `cursor=${middle}`],
    ['cursor old', `cursor=${old}`],
    ['open, cursor middle', `status=open&cursor=${middle}`],
    ['active, cursor old', `phase=active&cursor=${old}`],
    ['requester many, cursor old', `requester=${many}&cursor=${old}`],
    ['worker many, cursor old', `worker=${busy}&cursor=${old}`],
    ['tag common, cursor old', `tags=tag0&cursor=${old}`],
    ['mode and subtype and status', 'mode=auction&auctionType=dutch&status=open'],
    ['all at once', 'status=open&mode=bounty&requesterActorType=agent&tags=tag0&minReward=1000000&deadlineHours=1000'],
    ['agents in dispute', 'status=disputed&requesterActorType=agent&mode=bounty'],
  ].map(([name = '', query = '']) => ({ name, path: `/api/tasks?${query}` }))
}

async function rareRequester(sql: Database): Promise<string> {
  const [row] = await sql<{ requester: string }[]>`
    select requester from task where listed group by requester order by count(*), 1 limit 1`
  return row?.requester ?? ''
}

async function rareWorker(sql: Database): Promise<string> {
  const [row] = await sql<{ worker: string }[]>`
    select worker from award group by worker order by count(*), 1 limit 1`
  return row?.worker ?? ''
}

async function someCode(sql: Database): Promise<string> {
  const [row] = await sql<{ referenceCode: string }[]>`
    select reference_code from task where listed order by created_at_ms desc offset 10 limit 1`
  return row?.referenceCode ?? ''
}

/** A cursor with this part of all time below it. */
async function cursorAt(sql: Database, part: number): Promise<string> {
  const [row] = await sql<{ ms: bigint }[]>`
    select (min(created_at_ms) + (max(created_at_ms) - min(created_at_ms)) * ${Math.round(part * 1000)}::int / 1000)::int8
      as ms from task`
  return new Date(Number(row?.ms ?? 0n)).toISOString()
}
