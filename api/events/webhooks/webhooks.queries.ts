import type { Address, Hex } from 'viem'
import type { Database, Queryable, Transaction } from '../../db/client.ts'

/** The notification channel for changes to webhooks. New entries of the event log are announced on another channel. */
export const WEBHOOKS_CHANNEL = 'webhooks'
/**
 * The duration of a webhook's lease in seconds. Only the process that has the lease delivers to the webhook. The
 * process renews the lease for each page of entries. One page read and one delivery together take less time than the
 * lease.
 */
const LEASE_SECONDS = 30
/** The largest number of delivery attempts that are stored for each webhook. */
export const DELIVERIES_KEPT = 50
/**
 * The key of the PostgreSQL advisory lock that is held while webhooks are counted or leased. Nothing else uses this
 * key.
 */
const WEBHOOKS_LOCK = 8_453_051

/**
 * The states of a webhook: `unverified` until a test is answered, `active` while entries are delivered, or `paused`.
 */
export const webhookStatuses = ['unverified', 'active', 'paused'] as const
export type WebhookStatus = (typeof webhookStatuses)[number]

/** A stored webhook. */
export interface Webhook {
  id: string
  wallet: Address
  url: string
  kinds: string[] | null
  taskId: Hex | null
  /** The conditions on tasks, in the form that the owner sent. */
  filters: Record<string, unknown> | null
  sealedSecret: Buffer
  sealedEarlierSecret: Buffer | null
  earlierUntil: Date | null
  status: WebhookStatus
  /** The sequence number of the last entry that was delivered or skipped. */
  position: bigint
  /** The number of failed attempts since the last 2xx answer. */
  attempts: number
  failingSince: Date | null
  nextAttemptAt: Date
  lastStatus: number | null
  lastError: string | null
  pausedAt: Date | null
  createdAt: Date
}

/** The fields of a webhook that is about to be stored. */
export type NewWebhook = Pick<Webhook, 'id' | 'wallet' | 'url' | 'kinds' | 'taskId' | 'filters' | 'sealedSecret'> & {
  client: string
  host: string
  /** The time of signing, in Unix seconds. The text that the wallet signed states this time. */
  signedAt: bigint
}

/** One attempt to deliver a message to a webhook. */
export interface Delivery {
  messageId: string
  kind: string
  attempt: number
  sentAt: Date
  status: number | null
  error: string | null
  latencyMs: number
}

/** The id of a webhook and the id of its delivery lease. */
export interface Leased {
  id: string
  lease: string
}

const columns = [
  'id',
  'wallet',
  'url',
  'kinds',
  'taskId',
  'filters',
  'sealedSecret',
  'sealedEarlierSecret',
  'earlierUntil',
  'status',
  'position',
  'attempts',
  'failingSince',
  'nextAttemptAt',
  'lastStatus',
  'lastError',
  'pausedAt',
  'createdAt',
] as const satisfies (keyof Webhook)[]

/** Takes the lock on counting and leasing webhooks. The lock is held until the transaction ends. */
export async function lockWebhooks(tx: Transaction): Promise<void> {
  await tx`select pg_advisory_xact_lock(${WEBHOOKS_LOCK})`
}

/**
 * Counts webhooks for the limits on their number. `ofWallet`: the webhooks of the wallet. `ofClient`: the webhooks that
 * were created from one IPv4 address or IPv6 network (`client`). `verified` and `unverified`: all webhooks with a
 * verified or an unverified URL.
 */
export async function countWebhooks(
  tx: Queryable,
  { wallet, client }: { wallet: Address; client: string },
): Promise<{ ofWallet: number; ofClient: number; verified: number; unverified: number }> {
  const [counts] = await tx`
    select count(*) filter (where wallet = ${wallet})::integer as of_wallet,
      count(*) filter (where client = ${client})::integer as of_client,
      count(*) filter (where status <> 'unverified')::integer as verified,
      count(*) filter (where status = 'unverified')::integer as unverified
    from service.webhooks`
  return counts as { ofWallet: number; ofClient: number; verified: number; unverified: number }
}

/**
 * Records that a signed message was used to create a webhook.
 * @returns false if the message was used before. Also false if the wallet has a webhook with this URL that already used
 * a message with the signing time `signedAt` or later
 */
export async function takeCreation(
  tx: Transaction,
  { wallet, url, signedAt }: Pick<NewWebhook, 'wallet' | 'url' | 'signedAt'>,
): Promise<boolean> {
  const laterRows = await tx`
    select from service.webhooks where wallet = ${wallet} and url = ${url} and signed_at >= ${signedAt} limit 1`
  if (laterRows.length > 0) return false
  const { count } = await tx`
    insert into service.webhook_creations (digest)
    values (sha256(convert_to(${`${wallet} ${signedAt} ${url}`}::text, 'UTF8')))
    on conflict do nothing`
  return count > 0
}

/** Inserts a webhook. Its deliveries begin with the entries that are appended from now on. */
export async function insertWebhook(tx: Transaction, webhook: NewWebhook): Promise<void> {
  const { filters, ...row } = webhook
  await tx`
    insert into service.webhooks ${tx({ ...row, filters: filters as never, position: 0n } as never)}`
  await tx`
    update service.webhooks set position = coalesce((select last_sequence from service.event_log), 0)
    where id = ${webhook.id}`
  await tx`select pg_notify(${WEBHOOKS_CHANNEL}, '')`
}

/** Deletes the oldest unverified webhook, so a new webhook can be created. */
export async function deleteOldestUnverified(tx: Queryable): Promise<void> {
  await tx`
    delete from service.webhooks where id = (
      select id from service.webhooks where status = 'unverified' order by created_at limit 1)`
}

/** Returns a webhook, or null if there is none with the id. */
export async function findWebhook(sql: Queryable, id: string): Promise<Webhook | null> {
  const [row] = await sql<Webhook[]>`select ${sql(columns)} from service.webhooks where id = ${id}`
  return row ?? null
}

/** Lists the webhooks of a wallet, oldest first. */
export async function listWebhooks(sql: Queryable, wallet: Address): Promise<Webhook[]> {
  return await sql<Webhook[]>`
    select ${sql(columns)} from service.webhooks where wallet = ${wallet} order by created_at, id`
}

/** Lists the stored delivery attempts of a webhook, newest first. */
export async function listDeliveries(sql: Queryable, webhookId: string): Promise<Delivery[]> {
  return await sql<Delivery[]>`
    select message_id, kind, attempt, sent_at, status, error, latency_ms from service.webhook_deliveries
    where webhook_id = ${webhookId} order by number desc`
}

export async function deleteWebhook(sql: Queryable, id: string): Promise<void> {
  await sql`delete from service.webhooks where id = ${id}`
}

/**
 * Stores a new secret. The earlier secret also signs for `overlapSeconds` more seconds.
 * @returns the time until which both secrets sign. If the webhook already used a message with the signing time
 * `signedAt` or later, stores nothing and returns null
 */
export async function rotateSecret(
  sql: Queryable,
  { id, sealed, overlapSeconds, signedAt }: { id: string; sealed: Buffer; overlapSeconds: number; signedAt: bigint },
): Promise<Date | null> {
  const [row] = await sql<{ earlierUntil: Date }[]>`
    update service.webhooks set sealed_earlier_secret = sealed_secret, sealed_secret = ${sealed},
      earlier_until = now() + make_interval(secs => ${overlapSeconds}), signed_at = ${signedAt}
    where id = ${id} and signed_at < ${signedAt} returning earlier_until`
  return row?.earlierUntil ?? null
}

/**
 * Delivers again all entries that follow the sequence number `after`.
 * @returns true if the deliveries restart. If the webhook already used a message with the signing time `signedAt` or
 * later, changes nothing and returns false
 */
export async function replayFrom(
  sql: Queryable,
  { id, after, signedAt }: { id: string; after: bigint; signedAt: bigint },
): Promise<boolean> {
  const { count } = await sql`
    update service.webhooks set position = ${after}, attempts = 0, failing_since = null, next_attempt_at = now(),
      signed_at = ${signedAt}
    where id = ${id} and signed_at < ${signedAt}`
  await sql`select pg_notify(${WEBHOOKS_CHANNEL}, '')`
  return count > 0
}

/** Resumes the deliveries of a paused webhook. They continue after the last delivered entry. */
export async function resumeWebhook(sql: Queryable, id: string): Promise<void> {
  await sql`
    update service.webhooks set status = 'active', attempts = 0, failing_since = null, next_attempt_at = now(), paused_at = null
    where id = ${id} and status = 'paused'`
  await sql`select pg_notify(${WEBHOOKS_CHANNEL}, '')`
}

/**
 * Leases at most `most` webhooks that have messages to send. The webhook whose last lease ended first is leased first.
 * All processes together lease at most one webhook of each host at a time.
 */
export async function leaseDue(sql: Database, most: number, lease: string): Promise<Leased[]> {
  const dueWebhooks = await sql<{ id: string }[]>`
    select w.id from service.webhooks w left join service.event_log l on true
    where w.next_attempt_at <= now() and w.lease_until <= now()
      and (w.status = 'unverified' or (w.status = 'active' and l.last_sequence > w.position
        and (w.position < ${oldestPlace(sql)} or ${mayConcern(sql)})))
    order by w.lease_until, w.next_attempt_at limit ${most}`
  if (dueWebhooks.length === 0) return []
  return await sql.begin(async (tx) => {
    await lockWebhooks(tx)
    return await tx<Leased[]>`
      update service.webhooks set lease = ${lease}, lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
      where id in (
        select distinct on (host) id from service.webhooks w
        where id = any(${dueWebhooks.map(({ id }) => id)}::uuid[]) and lease_until <= now()
          and not exists (select from service.webhooks o where o.host = w.host and o.lease_until > now())
        order by host, lease_until)
      returning id, lease`
  })
}

/** Leases a webhook for a test. Returns false while a delivery to the same host is running. */
export async function leaseOne(sql: Database, { id, lease }: Leased): Promise<boolean> {
  return await sql.begin(async (tx) => {
    await lockWebhooks(tx)
    const { count } = await tx`
      update service.webhooks w set lease = ${lease}, lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
      where id = ${id} and not exists (select from service.webhooks o where o.host = w.host and o.lease_until > now())`
    return count > 0
  })
}

/** Returns the SQL condition that is true if an entry after the position of webhook `w` may concern this webhook. */
function mayConcern(sql: Queryable) {
  return sql`
    case
      when w.task_id is not null then exists (
        select from service.events e where e.task_id = w.task_id and e.sequence > w.position)
      when w.filters is null then exists (
        select from service.event_parties p where p.address = w.wallet and p.sequence > w.position)
      when w.kinds is not null then exists (
        select from service.events e where e.kind = any(w.kinds) and e.sequence > w.position)
      else true
    end`
}

/**
 * Returns an SQL expression for the smallest position from which a webhook misses no entry of log `l`: one less than
 * the sequence number of the oldest stored entry. If a webhook's position is smaller, entries were deleted before they
 * were delivered to the webhook.
 */
function oldestPlace(sql: Queryable) {
  return sql`coalesce((select sequence - 1 from service.events order by sequence limit 1), l.last_sequence)`
}

/**
 * Moves the positions of idle webhooks to the end of the log. A webhook is idle if none of the entries after its
 * position can concern it. Without this move, the webhook would get a message about a gap as soon as these entries are
 * deleted.
 */
export async function passOver(sql: Queryable): Promise<void> {
  await sql`
    update service.webhooks w set position = l.last_sequence from service.event_log l
    where w.status = 'active' and w.attempts = 0 and w.lease_until <= now() and w.position < l.last_sequence
      and w.position >= ${oldestPlace(sql)} and not ${mayConcern(sql)}`
}

/**
 * Returns the seconds until the next postponed delivery attempt of any webhook is due; null if no attempt is postponed.
 */
export async function findNextAttempt(sql: Queryable): Promise<number | null> {
  const [row] = await sql<{ seconds: number | null }[]>`
    select extract(epoch from min(next_attempt_at) - now())::double precision as seconds from service.webhooks
    where next_attempt_at > now() and status <> 'paused'`
  return row?.seconds ?? null
}

/**
 * Extends a lease and returns the webhook. Returns null if the webhook was deleted or the lease is no longer valid.
 */
export async function renewLease(
  sql: Queryable,
  { id, lease }: Leased,
): Promise<(Webhook & { failingSeconds: number }) | null> {
  const [row] = await sql<(Webhook & { failingSeconds: number })[]>`
    update service.webhooks set lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = ${id} and lease = ${lease} and lease_until > now()
    returning ${sql(columns)},
      extract(epoch from now() - coalesce(failing_since, now()))::double precision as failing_seconds`
  return row ?? null
}

/** Ends the lease of a webhook before the lease expires. */
export async function releaseLease(sql: Queryable, { id, lease }: Leased): Promise<void> {
  await sql`update service.webhooks set lease = null, lease_until = now() where id = ${id} and lease = ${lease}`
}

/** Postpones the deliveries of a webhook by a minute, without counting a failed attempt. */
export async function postpone(sql: Queryable, { id, lease }: Leased): Promise<void> {
  await sql`
    update service.webhooks set next_attempt_at = now() + interval '1 minute' where id = ${id} and lease = ${lease}`
}

/**
 * Moves a webhook's position past entries that do not go to the webhook.
 * @returns false if the position has changed or the lease is lost
 */
export async function moveOver(
  sql: Queryable,
  { id, lease }: Leased,
  { from, to }: { from: bigint; to: bigint },
): Promise<boolean> {
  const { count } = await sql`
    update service.webhooks set position = ${to} where id = ${id} and lease = ${lease} and position = ${from}`
  return count > 0
}

/**
 * Stores a delivery attempt. If `DELIVERIES_KEPT` attempts are stored already, the new attempt replaces the oldest one.
 */
export async function insertDelivery(
  tx: Queryable,
  webhookId: string,
  { messageId, kind, attempt, status, error, latencyMs }: Omit<Delivery, 'sentAt'>,
): Promise<void> {
  await tx`
    with counted as (
      update service.webhooks set deliveries = deliveries + 1 where id = ${webhookId} returning deliveries
    )
    insert into service.webhook_deliveries
      (webhook_id, slot, number, message_id, kind, attempt, sent_at, status, error, latency_ms)
    select ${webhookId}, deliveries % ${DELIVERIES_KEPT}, deliveries, ${messageId}, ${kind}, ${attempt}, now(), ${status}, ${error},
      ${latencyMs}
    from counted
    on conflict (webhook_id, slot) do update set number = excluded.number, message_id = excluded.message_id,
      kind = excluded.kind, attempt = excluded.attempt, sent_at = excluded.sent_at, status = excluded.status,
      error = excluded.error, latency_ms = excluded.latency_ms`
}

/**
 * Moves a webhook's position past a delivered message. The receiver answered the message with a 2xx status.
 * @returns false if the position has changed or the lease is lost
 */
export async function recordDelivered(
  tx: Queryable,
  { id, lease }: Leased,
  { from, to, status }: { from: bigint; to: bigint; status: number },
): Promise<boolean> {
  const { count } = await tx`
    update service.webhooks set position = ${to}, attempts = 0, failing_since = null, last_status = ${status}, last_error = null,
      lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where id = ${id} and lease = ${lease} and position = ${from} and status = 'active'`
  return count > 0
}

/**
 * Records a failed attempt to deliver a message. The next attempt follows after `pauseSeconds`; if `pauseSeconds` is
 * null, the webhook is paused.
 */
export async function recordFailed(
  tx: Queryable,
  { id, lease }: Leased,
  {
    from,
    status,
    error,
    pauseSeconds,
  }: Pick<Delivery, 'status' | 'error'> & { from: bigint; pauseSeconds: number | null },
): Promise<void> {
  const isPaused = pauseSeconds === null
  await tx`
    update service.webhooks set attempts = attempts + 1, failing_since = coalesce(failing_since, now()),
      last_status = ${status}, last_error = ${error}, next_attempt_at = now() + make_interval(secs => ${pauseSeconds ?? 0}),
      status = case when ${isPaused} and status = 'active' then 'paused' else status end,
      paused_at = case when ${isPaused} and status = 'active' then now() else paused_at end
    where id = ${id} and lease = ${lease} and position = ${from}`
}

/**
 * Starts the delivery of entries to a webhook whose test was answered.
 * @returns false if `most` webhooks are already verified
 */
export async function recordVerified(tx: Queryable, { id, lease }: Leased, most: number): Promise<boolean> {
  const { count } = await tx`
    update service.webhooks set status = 'active', attempts = 0, failing_since = null, next_attempt_at = now(),
      last_error = null
    where id = ${id} and lease = ${lease} and status = 'unverified'
      and (select count(*) from service.webhooks where status <> 'unverified') < ${most}`
  return count > 0
}

/** Deletes webhooks that have been unverified or paused for too long. */
export async function deleteAbandoned(
  sql: Queryable,
  { unverifiedSeconds, pausedSeconds }: { unverifiedSeconds: number; pausedSeconds: number },
): Promise<void> {
  await sql`
    delete from service.webhooks
    where (status = 'unverified' and created_at < now() - make_interval(secs => ${unverifiedSeconds}) and lease_until <= now())
      or (status = 'paused' and paused_at < now() - make_interval(secs => ${pausedSeconds}))`
  await sql`delete from service.webhook_creations where created_at < now() - interval '1 day'`
}
