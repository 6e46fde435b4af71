import type { Address, Hex } from 'viem'
import type { Database, Queryable, Transaction } from '../../db/client.ts'

/** The invitation of a wallet to a private task. */
export interface ViewerRow {
  viewer: Address
  addedBy: Address
  createdAt: Date
}

/** Returns the password hash of a private task. Returns null if the task has no password or does not exist. */
export async function findPasswordHash(sql: Queryable, taskId: Hex): Promise<string | null> {
  const rows = await sql<{ passwordHash: string | null }[]>`
    select a.password_hash
    from task t
    join service.task_access a on a.requester = t.requester and a.content_hash = t.created_content_hash
    where t.id = ${taskId}`
  return rows[0]?.passwordHash ?? null
}

/** Lists the invited wallets of a private task in the order of their invitations. There are at most 50. */
export async function listViewers(sql: Queryable, taskId: Hex): Promise<ViewerRow[]> {
  return await sql<ViewerRow[]>`
    select v.viewer, v.added_by, v.created_at
    from task t
    join service.task_viewers v on v.requester = t.requester and v.content_hash = t.created_content_hash
    where t.id = ${taskId}
    order by v.created_at, v.viewer`
}

/**
 * Invites a wallet to a private task. A repeated call changes nothing and returns the first invitation. Concurrent
 * calls for one task wait for each other, so the limit `max` is exact.
 * @returns the invitation; null if `max` wallets are invited already
 */
export async function addViewer(
  sql: Database,
  taskId: Hex,
  { viewer, addedBy, max }: { viewer: Address; addedBy: Address; max: number },
): Promise<ViewerRow | null> {
  return await sql.begin(async (tx) => {
    const access = await lockAccess(tx, taskId)
    const presentViewers = await listViewers(tx, taskId)
    const invitation = presentViewers.find((row) => row.viewer === viewer)
    if (invitation !== undefined) return invitation
    if (access === null || presentViewers.length >= max) return null
    const [addedViewer] = await tx<ViewerRow[]>`
      insert into service.task_viewers (requester, content_hash, viewer, added_by)
      values (${access.requester}, ${access.contentHash}, ${viewer}, ${addedBy})
      returning viewer, added_by, created_at`
    return addedViewer ?? null
  })
}

/** Deletes the invitation of a wallet, if it exists. */
export async function removeViewer(sql: Queryable, taskId: Hex, viewer: Address): Promise<void> {
  await sql`
    delete from service.task_viewers v
    using task t
    where t.id = ${taskId} and v.requester = t.requester and v.content_hash = t.created_content_hash
      and v.viewer = ${viewer}`
}

async function lockAccess(tx: Transaction, taskId: Hex): Promise<{ requester: Address; contentHash: Hex } | null> {
  const rows = await tx<{ requester: Address; contentHash: Hex }[]>`
    select a.requester, a.content_hash
    from service.task_access a
    where (a.requester, a.content_hash) = (select requester, created_content_hash from task where id = ${taskId})
    for update`
  return rows[0] ?? null
}
