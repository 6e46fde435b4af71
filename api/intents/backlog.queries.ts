import type { Queryable } from '../db/client.ts'
import { nameOfToday } from './relay-terms.ts'

/**
 * The counts of unfinished intents, and of files that must still be deleted. Each count is read from a partial index.
 */
export interface Backlog {
  recorded: number
  broadcast: number
  /**
   * The number of intents that have been broadcast for more than `stuckAfterMs` (see `countBacklog`) and have no mined
   * transaction. Normally, the service replaces a slow transaction, and the replacement is mined before that time has
   * passed.
   */
  stuck: number
  /**
   * The number of held intents that wait for an operator. Held intents with a block in the column `held_until_block`
   * are not counted here, but in `settling`.
   */
  held: number
  /** The number of held intents that fail automatically once the block in `held_until_block` is safe. */
  settling: number
  /**
   * The number of recorded intents whose call is a foreign call: a call that runs code from outside the deployment,
   * such as a requester's hook or a contract wallet.
   */
  recordedForeign: number
  /**
   * The gas cost of foreign calls (calls that run code from outside the deployment) that today's gas account has paid
   * or has reserved, in wei. If a foreign call is paid from the gas account of the code's owner, the cost of the call
   * is not included.
   */
  foreignGasWei: number
  refundsPending: number
  /** The number of refunds whose transaction was sent and is not mined yet. */
  refundsOnTheirWay: number
  /** The number of refunds that are left to an operator. */
  refundsFailed: number
  /** The sum of the refunds that are left to an operator, in base units of USDC. */
  failedRefundsBaseUnits: number
  /** The age of the oldest recorded intent, in seconds; null if no intent is recorded. */
  oldestRecordedSeconds: number | null
  /** The age of the oldest broadcast intent, in seconds; null if no intent is broadcast. */
  oldestBroadcastSeconds: number | null
  /** The number of uploads that are marked for deletion and still have bytes. */
  uploadsToEmpty: number
  /** The number of stored artifacts that are marked for deletion and still have bytes. */
  artifactsToEmpty: number
}

export async function countBacklog(sql: Queryable, stuckAfterMs: number): Promise<Backlog> {
  const [row] = await sql<Backlog[]>`
    select
      (select count(*)::int from intents where status = 'recorded') as recorded,
      (select extract(epoch from clock_timestamp() - min(status_at))::float8
         from intents where status = 'recorded') as oldest_recorded_seconds,
      (select count(*)::int from intents where status = 'broadcast') as broadcast,
      (select extract(epoch from clock_timestamp() - min(status_at))::float8
         from intents where status = 'broadcast') as oldest_broadcast_seconds,
      (select count(*)::int from intents where status = 'broadcast' and block_number is null
         and status_at < clock_timestamp() - make_interval(secs => ${stuckAfterMs / 1000}::float8)) as stuck,
      (select count(*)::int from intents where status = 'held' and held_until_block is null) as held,
      (select count(*)::int from intents where status = 'held' and held_until_block is not null) as settling,
      (select count(*)::int from intents where status = 'recorded' and relay_class = 'foreign') as recorded_foreign,
      (select coalesce(sum(used_wei), 0)::float8 from service.gas_accounts
         where name = ${nameOfToday()}) as foreign_gas_wei,
      (select count(*)::int from intents where refund_status = 'pending') as refunds_pending,
      (select count(*)::int from intents where refund_status = 'refunding') as refunds_on_their_way,
      (select count(*)::int from intents where refund_status = 'failed') as refunds_failed,
      (select coalesce(sum(payment_value), 0)::float8 from intents
         where refund_status = 'failed') as failed_refunds_base_units,
      (select count(*)::int from service.uploads
         where swept_at is not null and emptied_at is null) as uploads_to_empty,
      (select count(*)::int from service.stored_files
         where swept_at is not null and emptied_at is null) as artifacts_to_empty`
  if (row === undefined) throw new Error('a select without a table answers one row')
  return row
}

/** Counts the database connections of all processes of the service, grouped by connection state. */
export async function countConnections(sql: Queryable): Promise<{ state: string; count: number }[]> {
  return await sql`
    select coalesce(state, 'unknown') as state, count(*)::int as count from pg_stat_activity
    where application_name = 'task-market-api' and datname = current_database()
    group by 1`
}
