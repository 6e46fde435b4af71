import type { Address, Hex } from 'viem'
import type { Queryable, Transaction } from '../db/client.ts'

/** An account of stored bytes: of a client, of a worker, or of a worker and a task; the first two are of the last day. */
export type ByteAccount =
  | { of: 'client'; client: string }
  | { of: 'worker'; worker: Address; client: string | null }
  | { of: 'task'; worker: Address; taskId: Hex; client: string | null }

/** Bytes that are to be stored. */
export interface NewBytes {
  sizeBytes: number
  /** Most bytes of the account. */
  mostBytes: bigint
  /** Rows that these bytes replace: they do not count. */
  except: readonly string[]
}

/** Lets one transaction at a time count and charge the bytes of each of these; held until it ends. */
export async function lockByteAccounts(tx: Transaction, names: readonly string[]): Promise<void> {
  // One statement each, in an order of their own: transactions that need some of the same wait for each other.
  for (const name of names.toSorted()) {
    await tx`select pg_advisory_xact_lock(hashtextextended(${`bytes:${name}`}, 0))`
  }
}

/** Bytes that have no room now. */
export interface ByteShortage {
  /** The seconds until they have; null: nothing that counts now will leave enough room. */
  seconds: number | null
}

/**
 * Finds what the account lacks for the bytes; null: it has room now. Bytes that no worker has proven yet count for
 * their own client alone: a stranger who sends a worker's public signature uses nothing up that is the worker's. Bytes of a
 * failed write do not count, unless a direct call of the worker committed to them.
 */
export async function findByteShortage(
  tx: Transaction,
  account: ByteAccount,
  { sizeBytes, mostBytes, except }: NewBytes,
): Promise<ByteShortage | null> {
  const newest = mostBytes - BigInt(sizeBytes)
  const [row] = await tx<({ isFull: boolean } & ByteShortage)[]>`
    with charged as (
      select b.id, b.size_bytes, ${endOf(tx, account)} as ends_at
      from service.byte_charges b
      where ${rowsOf(tx, account)} and b.id <> all(${[...except]}::uuid[])
        and not exists (
          select from service.intents i where i.id = b.intent_id and i.status = 'failed'
            and not exists (
              select from service.submission_content c
              join submission s on s.task_id = c.task_id and s.worker = c.worker and s.deliverable = c.deliverable
              where c.intent_id = i.id))
    ), counted as (
      select ends_at, size_bytes, sum(size_bytes) over (order by ends_at desc, id) - size_bytes as later_bytes
      from charged
    ), needed as (
      -- From when on only those count that leave room enough; more than a whole account never fits.
      select coalesce(sum(size_bytes), 0) > ${newest}::bigint as is_full,
        min(ends_at) filter (where later_bytes <= ${newest}::bigint) as fits_at
      from counted
    )
    select is_full, case when isfinite(fits_at) then greatest(1, ceil(extract(epoch from fits_at - now())))::int end as seconds
    from needed`
  return row?.isFull === true ? { seconds: row.seconds } : null
}

/** When bytes stop to count: those of a worker and task never do once they are proven. */
function endOf(tx: Transaction, { of }: ByteAccount) {
  const end = tx`b.created_at + interval '1 day'`
  return of === 'task' ? tx`case when b.is_proven then timestamptz 'infinity' else ${end} end` : end
}

function rowsOf(tx: Transaction, account: ByteAccount) {
  const isToday = tx`b.created_at > now() - interval '1 day'`
  if (account.of === 'client') return tx`b.client = ${account.client} and ${isToday}`
  const isCounted = tx`(b.is_proven or (b.client = ${account.client} and ${isToday}))`
  if (account.of === 'worker') return tx`b.worker = ${account.worker} and ${isCounted} and ${isToday}`
  return tx`b.worker = ${account.worker} and b.task_id = ${account.taskId} and ${isCounted}`
}

/** A row of the ledger. */
export interface ByteCharge {
  id: string
  client: string
  sizeBytes: number
  /** Null: not proven, and not known. */
  for: { worker: Address; taskId: Hex } | null
  isProven: boolean
}

/** Adds a row, or makes it another: a body grows, and its worker is proven. */
export async function putByteCharge(tx: Transaction, charge: ByteCharge): Promise<void> {
  const { id, client, sizeBytes, isProven } = charge
  await tx`
    insert into service.byte_charges as b (id, client, worker, task_id, is_proven, size_bytes)
    values (${id}, ${client}, ${charge.for?.worker ?? null}, ${charge.for?.taskId ?? null}, ${isProven}, ${sizeBytes})
    on conflict (id) do update set worker = excluded.worker, task_id = excluded.task_id,
      is_proven = excluded.is_proven, size_bytes = excluded.size_bytes
    where b.intent_id is null`
}

/** The worker of these uploads has signed or paid for their submission. */
export async function proveUploads(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx`
    insert into service.byte_charges as b (id, client, worker, task_id, is_proven, size_bytes, created_at)
    select id, client, worker, task_id, true, size_bytes, created_at from service.uploads
    where id = any(${[...ids]}::uuid[])
    on conflict (id) do update set is_proven = true`
}

/** They are an upload's again: the submission was not bound. */
export async function unproveUploads(sql: Queryable, ids: readonly string[]): Promise<void> {
  await sql`
    update service.byte_charges set is_proven = false where id = any(${[...ids]}::uuid[]) and intent_id is null`
}

/** These bytes belong to this write now, in the transaction that binds it. */
export async function bindByteCharges(tx: Transaction, ids: readonly string[], intentId: string): Promise<void> {
  if (ids.length === 0) return
  await tx`
    update service.byte_charges set intent_id = ${intentId}, is_proven = true
    where id = any(${[...ids]}::uuid[]) and intent_id is null`
}

/** Gives bytes back that no write stores. */
export async function deleteByteCharge(sql: Queryable, id: string): Promise<void> {
  await sql`delete from service.byte_charges where id = ${id} and intent_id is null`
}

/** Gives the bytes back that arrived for a day without being submitted: they count no more. @returns how many rows */
export async function deleteUnusedCharges(
  sql: Queryable,
  { retentionSeconds, limit }: { retentionSeconds: number; limit: number },
): Promise<number> {
  const { count } = await sql`
    delete from service.byte_charges where id in (
      select id from service.byte_charges
      where intent_id is null
        and created_at <= now() - greatest(make_interval(secs => ${retentionSeconds}::float8), interval '1 day')
      limit ${limit} for update skip locked)`
  return count
}
