import type { Hex } from 'viem'
import { expect } from 'vitest'
import { foldClaimedIdentities } from './expect-identities.ts'
import { logsOf, lower, type Subject } from './expectation.ts'

/** What the logs say of an account as a worker. */
interface WorkerModel {
  awards: number
  stars: number
  ratings: number
  /** By the hash of a tag: awards of listed tasks that have it. */
  skills: Map<string, number>
}

/** Ranks, population and skills against what the logs of awards, ratings and identities make of them. */
export async function expectAgentsEqual({ sql, chain, logs }: Subject): Promise<void> {
  const { workers, listedEarnings } = foldWorkers(logs)
  const held = await foldClaimedIdentities(chain)
  const isHolder = (address: string) => (held.get(address) ?? []).length > 0
  const ranked = new Set([
    ...[...workers].flatMap(([address, { awards }]) => (awards > 0 ? [address] : [])),
    ...[...held.keys()].filter(isHolder),
  ])

  const rows = await sql`SELECT address, reputation::text, ranked FROM market.agent ORDER BY address`
  expect(rows.filter((row) => row.ranked).map((row) => row.address)).toEqual([...ranked].sort())
  expect(rows.map(({ address, reputation }) => [address, reputation])).toEqual(
    rows.map(({ address }) => {
      const { stars = 0, ratings = 0 } = workers.get(address) ?? {}
      return [address, String(((BigInt(stars) + 500n) * 10n ** 19n) / BigInt(ratings + 10))]
    }),
  )

  const skills = await sql`SELECT worker, tag_hash, task_count FROM market.agent_skill ORDER BY worker, tag_hash`
  expect(skills.map((row) => [row.worker, row.tag_hash, row.task_count])).toEqual(
    [...workers]
      .flatMap(([address, worker]) => [...worker.skills].map(([tag, count]) => [address, tag, count] as const))
      .sort((a, b) => (`${a[0]}${a[1]}` < `${b[0]}${b[1]}` ? -1 : 1)),
  )

  const [stats] = await sql`SELECT agent_count, listed_earnings::text FROM market.market_stats`
  expect(stats).toEqual({ agent_count: ranked.size, listed_earnings: String(listedEarnings) })

  const identities = await sql`SELECT agent_id::text, id_grams FROM market.identity`
  for (const { agent_id: digits, id_grams: grams } of identities) {
    expect([...grams].sort()).toEqual([...new Set(partsOf(digits))].sort())
  }
}

function partsOf(digits: string): string[] {
  return [...digits.matchAll(/(?=(\d{3}))/g)].map((match) => match[1] ?? '')
}

function foldWorkers(logs: Subject['logs']) {
  const tasks = new Map(
    logsOf(logs, 'TaskCreated').map(({ args }) => [
      args.taskId,
      { requester: args.requester, listed: args.terms.listed, tags: args.terms.tags },
    ]),
  )
  const workers = new Map<string, WorkerModel>()
  const workerOf = (address: Hex) => {
    const worker = workers.get(lower(address)) ?? { awards: 0, stars: 0, ratings: 0, skills: new Map() }
    workers.set(lower(address), worker)
    return worker
  }
  let listedEarnings = 0n
  for (const { args } of logsOf(logs, 'TaskCompleted')) {
    const task = tasks.get(args.taskId)
    if (task === undefined || lower(task.requester) === lower(args.worker)) continue
    const worker = workerOf(args.worker)
    worker.awards += 1
    if (!task.listed) continue
    listedEarnings += args.workerPayment
    for (const tag of new Set(task.tags)) worker.skills.set(tag, (worker.skills.get(tag) ?? 0) + 1)
  }
  for (const { args } of logsOf(logs, 'TaskRated')) {
    const worker = workerOf(args.worker)
    worker.ratings += 1
    worker.stars += args.rating
  }
  return { workers, listedEarnings }
}
