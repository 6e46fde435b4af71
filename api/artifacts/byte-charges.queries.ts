import type { Address, Hex } from 'viem'
import type { Queryable, Transaction } from '../db/client.ts'

/**
 * An account whose stored bytes are limited.
 * - `client`: the bytes that a client stored in the last 24 hours.
 * - `worker`: the bytes that were stored for a worker in the last 24 hours.
 * - `task`: the bytes that were stored for a worker's submissions to one task.
 *
 * Each storing of bytes is recorded as a charge. A charge is proven if a signature or a payment shows that the request
 * came from the worker. The accounts `worker` and `task` count the worker's proven charges. If the field `client` is
 * set, both accounts also count the unproven charges that this client caused in the last 24 hours.
 */
export type ByteAccount =
  | { of: 'client'; client: string }
  | { of: 'worker'; worker: Address; client: string | null }
  | { of: 'task'; worker: Address; taskId: Hex; client: string | null }

/** The bytes that are about to be stored. */
export interface NewBytes {
  sizeBytes: number
  /** The limit of the account in bytes. */
  mostBytes: bigint
  /** The ids of existing charges that the new bytes replace. These charges are not counted. */
  except: readonly string[]
}

/**
 * Locks accounts until the transaction ends. Other transactions wait before they count or charge bytes of these
 * accounts.
 */
export async function lockByteAccounts(tx: Transaction, names: readonly string[]): Promise<void> {
  // A fixed order of single statements prevents deadlocks between transactions with common accounts.
  for (const name of names.toSorted()) {
    await tx`select pg_advisory_xact_lock(hashtextextended(${`bytes:${name}`}, 0))`
  }
}

/** The result if an account has no room for the bytes now. */
export interface ByteShortage {
  /**
   * The seconds until the account has room. Null if waiting does not help: the bytes exceed the whole limit, or charges
   * that never end take up the room.
   */
  seconds: number | null
}

/**
 * Returns the shortage of bytes in an account. Returns null if the account has room for the new bytes.
 *
 * Two kinds of charges count only under a condition. An unproven charge is a charge for a submission that the worker
 * has not signed or paid yet. In the accounts `worker` and `task`, an unproven charge counts only if the client
 * `account.client` caused the charge. A charge of a failed write counts only if the worker submitted the same
 * deliverable by a direct call of the contract.
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

/**
 * Returns the SQL of the time from which a charge no longer counts: one day after the charge was made. Exception: in an
 * account of the kind `task`, a proven charge counts forever.
 */
function endOf(tx: Transaction, { of }: ByteAccount) {
  const end = tx`b.created_at + interval '1 day'`
  return of === 'task' ? tx`case when b.is_proven then timestamptz 'infinity' else ${end} end` : end
}

function rowsOf(tx: Transaction, account: ByteAccount) {
  const todayCondition = tx`b.created_at > now() - interval '1 day'`
  if (account.of === 'client') return tx`b.client = ${account.client} and ${todayCondition}`
  const countedCondition = tx`(b.is_proven or (b.client = ${account.client} and ${todayCondition}))`
  if (account.of === 'worker') return tx`b.worker = ${account.worker} and ${countedCondition} and ${todayCondition}`
  return tx`b.worker = ${account.worker} and b.task_id = ${account.taskId} and ${countedCondition}`
}

/** A charge for stored bytes. */
export interface ByteCharge {
  id: string
  client: string
  sizeBytes: number
  /**
   * The worker and the task that the bytes are for. Null while the bytes of a body arrive, because the worker is not
   * known yet.
   */
  for: { worker: Address; taskId: Hex } | null
  isProven: boolean
}

/**
 * Inserts or updates a charge. An update follows when more bytes of a request's body have arrived. An update also
 * follows when a signature or a payment has proven that the request came from the worker.
 */
export async function putByteCharge(tx: Transaction, charge: ByteCharge): Promise<void> {
  const { id, client, sizeBytes, isProven } = charge
  await tx`
    insert into service.byte_charges as b (id, client, worker, task_id, is_proven, size_bytes)
    values (${id}, ${client}, ${charge.for?.worker ?? null}, ${charge.for?.taskId ?? null}, ${isProven}, ${sizeBytes})
    on conflict (id) do update set worker = excluded.worker, task_id = excluded.task_id,
      is_proven = excluded.is_proven, size_bytes = excluded.size_bytes
    where b.intent_id is null`
}

/**
 * Marks the charges of uploads as proven. A proven charge counts in the accounts of the worker, whatever client made
 * the uploads. Called after the worker signed or paid for the submission.
 */
export async function proveUploads(tx: Transaction, ids: readonly string[]): Promise<void> {
  await tx`
    insert into service.byte_charges as b (id, client, worker, task_id, is_proven, size_bytes, created_at)
    select id, client, worker, task_id, true, size_bytes, created_at from service.uploads
    where id = any(${[...ids]}::uuid[])
    on conflict (id) do update set is_proven = true`
}

/**
 * Marks the charges of uploads as unproven again. Called if `proveUploads` has run, but the submission could not be
 * recorded.
 */
export async function unproveUploads(sql: Queryable, ids: readonly string[]): Promise<void> {
  await sql`
    update service.byte_charges set is_proven = false where id = any(${[...ids]}::uuid[]) and intent_id is null`
}

/** Assigns charges to the intent of a write, in the transaction that records the write. */
export async function bindByteCharges(tx: Transaction, ids: readonly string[], intentId: string): Promise<void> {
  if (ids.length === 0) return
  await tx`
    update service.byte_charges set intent_id = ${intentId}, is_proven = true
    where id = any(${[...ids]}::uuid[]) and intent_id is null`
}

/** Deletes a charge if no write stores its bytes. */
export async function deleteByteCharge(sql: Queryable, id: string): Promise<void> {
  await sql`delete from service.byte_charges where id = ${id} and intent_id is null`
}

/**
 * Deletes charges that are older than the retention time (at least one day) and whose bytes belong to no submission.
 * @returns the number of deleted rows
 */
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

/**
 * The number of days for which a task's charges are kept after the end of the task. After that time, the task accepts
 * no files, so the charges no longer limit any storing.
 */
const CHARGED_DAYS_AFTER_END = 30

/**
 * Deletes the charges of tasks that ended more than CHARGED_DAYS_AFTER_END days ago.
 * @returns the number of deleted rows
 */
export async function deleteChargesOfEndedTasks(sql: Queryable, { limit }: { limit: number }): Promise<number> {
  const { count } = await sql`
    delete from service.byte_charges where id in (
      select b.id from service.byte_charges b join task t on t.id = b.task_id
      where b.created_at < now() - make_interval(days => ${CHARGED_DAYS_AFTER_END})
        and t.ended_at < extract(epoch from now() - make_interval(days => ${CHARGED_DAYS_AFTER_END}))
      limit ${limit} for update of b skip locked)`
  return count
}
