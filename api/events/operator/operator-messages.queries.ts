import type { Database, Queryable } from '../../db/client.ts'
import type { FoundStates, OperatorMessage } from './operator-message.ts'

/**
 * The lease of a process, seconds: longer than a run with its deliveries. A crashed process blocks others for so long.
 */
const LEASE_SECONDS = 60
const KEPT_DAYS = 30

/** Takes or renews the lease of the notifying process. @returns false: another process has it */
export async function takeLease(sql: Queryable, lease: string): Promise<boolean> {
  const { count } = await sql`
    update service.operator_webhook set lease = ${lease}, lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where lease = ${lease} or lease_until <= now()`
  return count > 0
}

/** Releases the lease, so that the next process does not wait for its end. */
export async function releaseLease(sql: Queryable, lease: string): Promise<void> {
  await sql`update service.operator_webhook set lease_until = now() where lease = ${lease}`
}

/**
 * Stores the states of one kind: a message for each that began, and one for each that ended. Of two processes with the
 * same states, one stores them.
 */
export async function recordStates(
  sql: Database,
  { kind, states, isOver }: FoundStates,
  network: OperatorMessage['network'],
): Promise<void> {
  await sql.begin(async (tx) => {
    for (const { subject, data } of states) {
      const [beginning] = await tx<{ occurrence: string; beganAt: Date }[]>`
        insert into service.operator_states (kind, subject, data) values (${kind}, ${subject}, ${tx.json(data)})
        on conflict do nothing returning occurrence, began_at`
      if (beginning === undefined) continue
      const message = {
        id: `operator-${beginning.occurrence}-began`,
        kind,
        state: 'began',
        at: beginning.beganAt,
        network,
        data,
      }
      await insertMessage(tx, message)
    }
    const open = await tx<{ subject: string }[]>`select subject from service.operator_states where kind = ${kind}`
    const holding = new Set(states.map(({ subject }) => subject))
    const over = open.map(({ subject }) => subject).filter((subject) => !holding.has(subject) && isOver(subject))
    if (over.length === 0) return
    const ended = await tx<{ occurrence: string; data: object; at: Date }[]>`
      delete from service.operator_states where kind = ${kind} and subject = any(${over}::text[])
      returning occurrence, data, now() as at`
    for (const { occurrence, data, at } of ended) {
      await insertMessage(tx, { id: `operator-${occurrence}-over`, kind, state: 'over', at, network, data })
    }
  })
}

interface NewMessage {
  id: string
  kind: string
  state: string
  at: Date
  network: OperatorMessage['network']
  data: object
}

async function insertMessage(tx: Queryable, { at, ...message }: NewMessage): Promise<void> {
  const { id, kind, state, network, data } = message
  const body = { id, kind, state, at: at.toISOString(), network, data }
  await tx`insert into service.operator_messages (id, body) values (${id}, ${tx.json(body as never)})`
}

/** A message to be sent. */
export interface WaitingMessage {
  sequence: bigint
  id: string
  body: OperatorMessage
  attempts: number
  /** The seconds since the first failed attempt; 0 before one. */
  failingSeconds: number
  /** The seconds until the next attempt; 0: now. */
  waitsSeconds: number
}

/** Returns the oldest unsent message; later ones wait for it. Null: none. */
export async function findNextMessage(sql: Queryable): Promise<WaitingMessage | null> {
  const [row] = await sql<WaitingMessage[]>`
    select sequence, id, body, attempts,
      extract(epoch from now() - coalesce(failing_since, now()))::float8 as failing_seconds,
      greatest(0, extract(epoch from next_attempt_at - now()))::float8 as waits_seconds
    from service.operator_messages where ended_at is null order by sequence limit 1`
  return row ?? null
}

/** Ends a message. @param error the reason to give up; null: it was answered 2xx */
export async function endMessage(sql: Queryable, sequence: bigint, error: string | null): Promise<void> {
  await sql`
    update service.operator_messages set ended_at = now(), attempts = attempts + 1, last_error = ${error}
    where sequence = ${sequence}`
}

/** Records a failed attempt; the next one is `pauseSeconds` later. */
export async function postponeMessage(
  sql: Queryable,
  sequence: bigint,
  { error, pauseSeconds }: { error: string; pauseSeconds: number },
): Promise<void> {
  await sql`
    update service.operator_messages set attempts = attempts + 1, failing_since = coalesce(failing_since, now()),
      next_attempt_at = now() + make_interval(secs => ${pauseSeconds}), last_error = ${error}
    where sequence = ${sequence}`
}

/** Deletes messages that ended long ago. */
export async function deleteOldMessages(sql: Queryable): Promise<void> {
  await sql`delete from service.operator_messages where ended_at < now() - make_interval(days => ${KEPT_DAYS})`
}
