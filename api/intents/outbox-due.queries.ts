import type { Queryable } from '../db/client.ts'
import { relayClasses } from './intent.ts'

/**
 * The parts of the outbox (the calls and refunds that wait to be sent). Each part has a separate loop, so a delay in
 * one part does not delay the other parts.
 */
export const outboxSources = [...relayClasses, 'refunds'] as const
export type OutboxSource = (typeof outboxSources)[number]

/**
 * Returns true if a part of the outbox (the calls and refunds that wait to be sent) has due work. The query is cheaper
 * than an empty transaction.
 */
export async function isAnyDue(sql: Queryable, source: OutboxSource): Promise<boolean> {
  const rows = await selectDue(sql, source)
  return rows.length === 1
}

/**
 * Returns one flag for each of the three parts of the outbox (see `outboxSources`): true if the part has due work. Also
 * returns `isAnyOpen`: true if the outbox has any work, due or not. The function sends one statement.
 */
export async function findDueParts(sql: Queryable): Promise<Record<OutboxSource | 'isAnyOpen', boolean>> {
  const [dueParts] = await sql<Record<OutboxSource | 'isAnyOpen', boolean>[]>`
    select exists (${selectDue(sql, 'plain')}) as plain, exists (${selectDue(sql, 'foreign')}) as foreign,
      exists (${selectDue(sql, 'refunds')}) as refunds,
      exists (select from intents where status = 'recorded')
        or exists (select from intents where refund_status = 'pending') as is_any_open`
  if (dueParts === undefined) throw new Error('a select without a table has one row')
  return dueParts
}

function selectDue(sql: Queryable, source: OutboxSource) {
  return source === 'refunds'
    ? sql`select 1 from intents where refund_status = 'pending' and relay_after <= now() limit 1`
    : sql`select 1 from intents where status = 'recorded' and relay_class = ${source} and relay_after <= now() limit 1`
}
