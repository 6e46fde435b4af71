import type { Database, Queryable } from '../../db/client.ts'
import type { FoundStates, OperatorMessage } from './operator-message.ts'

/**
 * The duration of the lease in seconds. Only the process that has the lease sends messages. One call of `run`, with all
 * its deliveries, takes less time. If the process crashes, other processes wait until the lease ends.
 */
const LEASE_SECONDS = 60
/** The number of days that a message is kept after the last attempt to send it. */
const KEPT_DAYS = 30

/**
 * Takes or renews the lease that lets one process send the operator's messages. @returns false if another process has
 * the lease
 */
export async function takeLease(sql: Queryable, lease: string): Promise<boolean> {
  const { count } = await sql`
    update service.operator_webhook set lease = ${lease}, lease_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where lease = ${lease} or lease_until <= now()`
  return count > 0
}

/** Releases the lease, so another process can take it at once. */
export async function releaseLease(sql: Queryable, lease: string): Promise<void> {
  await sql`update service.operator_webhook set lease_until = now() where lease = ${lease}`
}

/**
 * Stores the states of one kind, and a message for each state that began or ended. Of two processes that record the
 * same change, only one stores a message.
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
    const openStates = await tx<{ subject: string }[]>`select subject from service.operator_states where kind = ${kind}`
    const holding = new Set(states.map(({ subject }) => subject))
    const endedSubjects = openStates
      .map(({ subject }) => subject)
      .filter((subject) => !holding.has(subject) && isOver(subject))
    if (endedSubjects.length === 0) return
    const endedStates = await tx<{ occurrence: string; data: object; at: Date }[]>`
      delete from service.operator_states where kind = ${kind} and subject = any(${endedSubjects}::text[])
      returning occurrence, data, now() as at`
    for (const { occurrence, data, at } of endedStates) {
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

/** A message that must still be sent to the operator's webhook. */
export interface WaitingMessage {
  sequence: bigint
  id: string
  body: OperatorMessage
  attempts: number
  /** The seconds since the first failed attempt; 0 if no attempt has failed. */
  failingSeconds: number
  /** The seconds until the next attempt is due; 0 if it is due now. */
  waitsSeconds: number
}

/**
 * Returns the oldest message that is still to be sent, or null if there is none. Later messages wait until this message
 * is delivered or given up.
 */
export async function findNextMessage(sql: Queryable): Promise<WaitingMessage | null> {
  const [row] = await sql<WaitingMessage[]>`
    select sequence, id, body, attempts,
      extract(epoch from now() - coalesce(failing_since, now()))::float8 as failing_seconds,
      greatest(0, extract(epoch from next_attempt_at - now()))::float8 as waits_seconds
    from service.operator_messages where ended_at is null order by sequence limit 1`
  return row ?? null
}

/**
 * Records that a message was delivered or given up, so it is not sent again.
 * @param error the reason why the message was given up; null if the message was delivered
 */
export async function endMessage(sql: Queryable, sequence: bigint, error: string | null): Promise<void> {
  await sql`
    update service.operator_messages set ended_at = now(), attempts = attempts + 1, last_error = ${error}
    where sequence = ${sequence}`
}

/** Records a failed attempt to send a message. The next attempt is due `pauseSeconds` later. */
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

/** Deletes the messages that were delivered or given up more than `KEPT_DAYS` ago. */
export async function deleteOldMessages(sql: Queryable): Promise<void> {
  await sql`delete from service.operator_messages where ended_at < now() - make_interval(days => ${KEPT_DAYS})`
}
