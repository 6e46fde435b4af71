import type { Queryable } from '../db/client.ts'
import { relayClasses } from './intent.ts'

/** The parts of the outbox, each with workers of its own: what one waits for delays no other. */
export const outboxSources = [...relayClasses, 'refunds'] as const
export type OutboxSource = (typeof outboxSources)[number]

/** Whether anything of a part is due: cheaper than a transaction that finds nothing. */
export async function isAnyDue(sql: Queryable, source: OutboxSource): Promise<boolean> {
  const rows = await selectDue(sql, source)
  return rows.length === 1
}

/** The same of every part, in one statement. */
export async function findDueParts(sql: Queryable): Promise<Record<OutboxSource, boolean>> {
  const [due] = await sql<Record<OutboxSource, boolean>[]>`
    select exists (${selectDue(sql, 'plain')}) as plain, exists (${selectDue(sql, 'foreign')}) as foreign,
      exists (${selectDue(sql, 'refunds')}) as refunds`
  if (due === undefined) throw new Error('a select without a table has one row')
  return due
}

function selectDue(sql: Queryable, source: OutboxSource) {
  return source === 'refunds'
    ? sql`select 1 from intents where refund_status = 'pending' and relay_after <= now() limit 1`
    : sql`select 1 from intents where status = 'recorded' and relay_class = ${source} and relay_after <= now() limit 1`
}
