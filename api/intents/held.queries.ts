import type { Queryable, Transaction } from '../db/client.ts'
import type { BoundIntent } from './intent.ts'
import { type IntentRow, toBoundIntent } from './intents.mapper.ts'
import type { ReadIntent } from './outbox.queries.ts'

/**
 * Holds an intent (stops sending its transactions). Called if the payment was used on chain, and the service has no
 * proof that the money arrived in the forwarder. The service checks a held intent again after `restSeconds`. If
 * `untilBlock` is set, the service decides the intent as soon as this block is safe. If `untilBlock` is null and no
 * later check finds the proof, an operator must decide.
 * @returns false when the intent has changed since it was read
 */
export async function holdIntent(
  sql: Queryable,
  { id, version }: ReadIntent,
  { finding, restSeconds, untilBlock = null }: { finding: string; restSeconds: number; untilBlock?: bigint | null },
): Promise<boolean> {
  const rows = await sql`
    update intents set status = 'held', failure = ${finding}, held_until_block = ${untilBlock},
      looks = case when status = 'held' then looks + 1 else 0 end,
      relay_after = now() + make_interval(secs => ${restSeconds})
    where id = ${id} and version = ${version} and status in ('recorded', 'broadcast', 'held')
    returning id`
  return rows.length === 1
}

/** The largest number of held intents in one list. */
const LISTED_AT_MOST = 100

/** A held intent that waits for an operator. */
export interface HeldIntent {
  id: string
  operation: string
  statusAt: Date
}

/** Lists the oldest intents that wait for an operator. `isComplete` is true if the list contains all such intents. */
export async function listHeldIntents(sql: Queryable): Promise<{ intents: HeldIntent[]; isComplete: boolean }> {
  const rows = await sql<HeldIntent[]>`
    select id, operation, status_at from intents where status = 'held' and held_until_block is null
    order by status_at, id limit ${LISTED_AT_MOST + 1}`
  return { intents: rows.slice(0, LISTED_AT_MOST), isComplete: rows.length <= LISTED_AT_MOST }
}

/**
 * Locks the held intent whose next check is overdue the longest. Other processes skip the intent until the transaction
 * `tx` ends.
 */
export async function lockHeldIntent(tx: Transaction): Promise<BoundIntent | null> {
  const [row] = await tx<IntentRow[]>`
    select * from intents where status = 'held' and relay_after <= now()
    order by relay_after limit 1
    for update skip locked`
  return row === undefined ? null : toBoundIntent(row)
}
