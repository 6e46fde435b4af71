import type { Address, Hex } from 'viem'
import type { Queryable } from '../db/client.ts'
import { FINAL_DEPTH } from '../read-model/final-blocks.queries.ts'
import type { LogState } from './event-log.queries.ts'

/** The largest sequence number that the database column can have. */
const MAX_SEQUENCE = 2n ** 63n - 1n

/** A stored entry of the event log. */
export interface StoredEvent {
  sequence: bigint
  kind: string
  blockNumber: bigint
  blockTimestamp: bigint
  transactionHash: Hex | null
  taskId: Hex | null
  resource: string | null
  worker: Address | null
  addresses: Address[]
  data: Record<string, unknown>
  /** The type of the auction; null if the task is no auction. */
  auctionType: string | null
  bidDeadline: bigint | null
  /** True if the entry passes all filters. Absent if the entry was read for all streams (`listEventsForAll`). */
  isMatch?: boolean
}

/** An entry with the accounts that it concerns. */
export interface ConcerningEvent extends StoredEvent {
  /** The accounts that the entry publicly concerns. */
  parties: Address[]
  /**
   * The accounts that the entry concerns privately. If a reader asks for the entries that concern one of these
   * accounts, the entry is found only if the reader is that account.
   */
  privateParties: Address[]
}

/** The filters of a reader of the event log. An absent filter selects all entries. */
export interface EventFilters {
  kinds?: readonly string[] | undefined
  taskId?: Hex | undefined
  /** An account, in lower case. If set, only entries that concern this account pass the filter. */
  address?: Address | undefined
  /**
   * Returns an SQL condition on the aliases `t` (the task of an entry) and `c` (the texts of the task). The condition
   * begins with `and`, and is false for entries without a task.
   */
  ofTask?: ((sql: Queryable) => PromiseLike<unknown>) | undefined
}

/** The first and last sequence numbers of the event log, with the log's id and newest final block. */
export type LogBounds = Pick<LogState, 'epoch' | 'finalBlock' | 'lastSequence'> & {
  /** The sequence number of the oldest stored entry. */
  firstSequence: bigint
}

/** Returns the first and last sequence numbers of the log, or null before the first entry. */
export async function findLogBounds(sql: Queryable): Promise<LogBounds | null> {
  const [row] = await sql<LogBounds[]>`
    select epoch, final_block, last_sequence,
      coalesce((select sequence from service.events order by sequence limit 1), last_sequence + 1) as first_sequence
    from service.event_log`
  return row ?? null
}

/**
 * Returns true if the log can be read from a position. The position must have the log's present epoch, and all later
 * entries must still be stored.
 */
export function isKnownPlace(
  { epoch, firstSequence, lastSequence }: LogBounds,
  place: { epoch: string; sequence: bigint },
): boolean {
  return place.epoch === epoch && place.sequence <= lastSequence && place.sequence >= firstSequence - 1n
}

/**
 * Returns the position from which the entries about the given block and later blocks are read: the sequence number of
 * the first of these entries, minus one. Returns null if there is no entry about these blocks.
 */
export async function findSequenceBefore(sql: Queryable, block: bigint): Promise<bigint | null> {
  const [row] = await sql<{ sequence: bigint }[]>`
    select sequence - 1 as sequence from service.events where block_number >= ${block} order by block_number, sequence limit 1`
  return row?.sequence ?? null
}

/**
 * Returns the newest block that is complete for a reader who has read the log up to the entry `last`. If a block is
 * complete, the reader has all entries about this block and about all earlier blocks, and the log will get no more
 * entries about these blocks. Returns -1 if no block is complete.
 */
export async function findReadBlock(sql: Queryable, last: bigint, finalBlock: bigint): Promise<bigint> {
  const [unreadBegin] = await sql<{ block: bigint }[]>`
    select block_number as block from service.events where sequence > ${last} order by sequence limit 1`
  if (unreadBegin === undefined) return finalBlock
  // Rows more than `FINAL_DEPTH` blocks below an entry's block were final when the entry was appended.
  const before = unreadBegin.block - 1n - FINAL_DEPTH
  if (before < 0n) return -1n
  return before < finalBlock ? before : finalBlock
}

/**
 * Lists at most `limit` entries after the sequence number `after`, in order. One filter selects the entries: `taskId`
 * if it is set, or else `address`, or else `kinds`. A listed entry may fail the remaining filters. The field `isMatch`
 * of an entry is true if the entry passes all filters.
 * @param caller the address of the reader. If it equals `address`, entries that concern the address privately are
 * included
 */
export async function listEvents(
  sql: Queryable,
  { after, limit, filters, caller }: { after: bigint; limit: number; filters: EventFilters; caller: Address | null },
): Promise<StoredEvent[]> {
  const { kinds, taskId, address, ofTask } = filters
  const visibleOnly = address === caller ? sql`` : sql`and not is_private`
  // Compared as pairs; the index of ids alone would read every later entry without a match.
  const from =
    taskId !== undefined
      ? sql`unnest(${[taskId]}::text[]) as asked(task_id) cross join lateral (
              select * from service.events
              where task_id is not null and (task_id, sequence) > (asked.task_id, ${after}::bigint)
                and (task_id, sequence) <= (asked.task_id, ${MAX_SEQUENCE}::bigint)
              order by task_id, sequence limit ${limit}
            ) as e order by e.sequence`
      : address !== undefined
        ? sql`(
              select p.sequence from unnest(${[address]}::text[]) as asked(address) cross join lateral (
                select * from service.event_parties
                where (address, sequence) > (asked.address, ${after}::bigint)
                  and (address, sequence) <= (asked.address, ${MAX_SEQUENCE}::bigint) ${visibleOnly}
                order by address, sequence limit ${limit}
              ) as p
            ) as of_address join service.events e using (sequence) order by e.sequence`
        : kinds !== undefined
          ? sql`unnest(${[...new Set(kinds)]}::text[]) as asked(kind) cross join lateral (
              select * from service.events
              where (kind, sequence) > (asked.kind, ${after}::bigint) and (kind, sequence) <= (asked.kind, ${MAX_SEQUENCE}::bigint)
              order by kind, sequence limit ${limit}
            ) as e order by e.sequence`
          : sql`service.events e where e.sequence > ${after} order by e.sequence`
  const addressCondition =
    taskId === undefined || address === undefined
      ? sql``
      : sql`and exists (
          select from service.event_parties q where q.sequence = e.sequence and q.address = ${address} ${visibleOnly}
        )`
  return await sql<StoredEvent[]>`
    select e.sequence, e.kind, e.block_number, e.block_timestamp, e.transaction_hash, e.task_id, e.resource, e.worker,
      e.addresses, e.data, t.auction_type, t.bid_deadline,
      true ${kinds === undefined ? sql`` : sql`and e.kind = any(${[...kinds]}::text[])`} ${addressCondition}
        ${ofTask === undefined ? sql`` : sql`and t.id is not null ${ofTask(sql) as never}`} as is_match
    from (select e.* from ${from} limit ${limit}) as e
    left join task t on t.id = e.task_id
    ${
      ofTask === undefined
        ? sql``
        : sql`left join service.task_content c on c.requester = t.requester and c.content_hash = t.content_hash`
    }
    order by e.sequence`
}

/**
 * Lists at most `limit` entries after the sequence number `after`, in order, with the accounts that the entries
 * concern.
 */
export async function listEventsForAll(sql: Queryable, after: bigint, limit: number): Promise<ConcerningEvent[]> {
  return await sql<ConcerningEvent[]>`
    select e.sequence, e.kind, e.block_number, e.block_timestamp, e.transaction_hash, e.task_id, e.resource, e.worker,
      e.addresses, e.data, t.auction_type, t.bid_deadline,
      array(select address from service.event_parties p where p.sequence = e.sequence and not is_private) as parties,
      array(select address from service.event_parties p where p.sequence = e.sequence and is_private) as private_parties
    from service.events e
    left join task t on t.id = e.task_id
    where e.sequence > ${after}
    order by e.sequence limit ${limit}`
}
