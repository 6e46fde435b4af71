import type { Address } from 'viem'
import type { Queryable } from '../../../db/client.ts'
import type { DropFacts } from '../../../domain/creation/drop.ts'

export interface TaskDropRow {
  id: string
  ordinal: bigint
  owner: Address
  name: string
  description: string | null
  createdAt: Date
}

/** Returns the owner of a task drop, or null if the drop does not exist. The access of callers is not checked. */
export async function findDropFacts(sql: Queryable, dropId: string): Promise<DropFacts | null> {
  const rows = await sql<DropFacts[]>`select owner from service.task_drops where id = ${dropId}`
  return rows[0] ?? null
}

/**
 * Returns a task drop, or null if the drop does not exist or the caller may not see it. Every caller may see a drop
 * with a public or unlisted task on chain. The owner may see a drop with any task on chain.
 */
export async function findTaskDrop(
  sql: Queryable,
  dropId: string,
  caller: Address | null,
): Promise<TaskDropRow | null> {
  const rows = await sql<TaskDropRow[]>`
    select d.id, d.ordinal, d.owner, d.name, d.description, d.created_at
    from service.task_drops d
    where d.id = ${dropId} and exists (
      select from service.task_drop_members m
      join task t on t.requester = m.requester and t.created_content_hash = m.created_content_hash
      where m.drop_id = d.id and (m.task_visibility <> 'private' or d.owner = ${caller}))`
  return rows[0] ?? null
}

/** Lists at most `limit` task drops that have a public task on chain, newest first. */
export async function listTaskDrops(
  sql: Queryable,
  { before, limit }: { before: bigint | undefined; limit: number },
): Promise<TaskDropRow[]> {
  // A subquery looks for one public task of each drop. A join would read all tasks of the drops for each page.
  return await sql<TaskDropRow[]>`
    select d.id, d.ordinal, d.owner, d.name, d.description, d.created_at
    from service.task_drops d
    cross join lateral (
      select from service.task_drop_members m
      cross join lateral (
        select t.requester, t.content_hash from task t
        where t.requester = m.requester and t.created_content_hash = m.created_content_hash
        limit 1) t
      join service.task_content c
        on c.requester = t.requester and c.content_hash = t.content_hash and c.task_visibility = 'public'
      where m.drop_id = d.id and m.task_visibility = 'public'
      limit 1) as shown
    where true ${before === undefined ? sql`` : sql`and d.ordinal < ${before}`}
    order by d.ordinal desc
    limit ${limit}`
}

/** Returns the position of a task drop in the list, or null if there is no such drop. */
export async function findDropOrdinal(sql: Queryable, dropId: string): Promise<bigint | null> {
  const rows = await sql<{ ordinal: bigint }[]>`select ordinal from service.task_drops where id = ${dropId}`
  return rows[0]?.ordinal ?? null
}
