import type { Address, Hex } from 'viem'
import type { Queryable } from '../db/client.ts'
import { FINAL_DEPTH } from '../read-model/final-blocks.queries.ts'
import type { LogState } from './event-log.queries.ts'

/** The highest number that the database has for an entry. */
const MAX_SEQUENCE = 2n ** 63n - 1n

/** An entry as it is stored. */
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
  /** Type of the auction; null: the task is none. */
  auctionType: string | null
  bidDeadline: bigint | null
  /** It passes all filters; absent where none was asked. */
  isMatch?: boolean
}

/** An entry with those whom it concerns. */
export interface ConcerningEvent extends StoredEvent {
  parties: Address[]
  /** Of which no other caller may know. */
  privateParties: Address[]
}

/** Filters of a reader. Absent: not narrowed. */
export interface EventFilters {
  kinds?: readonly string[] | undefined
  taskId?: Hex | undefined
  /** Lower case. */
  address?: Address | undefined
  /** A condition on the task `t` and its texts `c`, led by `and`. Entries without a task do not pass. */
  ofTask?: ((sql: Queryable) => PromiseLike<unknown>) | undefined
}

/** Where the log begins and ends. */
export type LogBounds = Pick<LogState, 'epoch' | 'finalBlock' | 'lastSequence'> & {
  /** The oldest entry that is kept. */
  firstSequence: bigint
}

/** Finds them; null before the first entry. */
export async function findLogBounds(sql: Queryable): Promise<LogBounds | null> {
  const [row] = await sql<LogBounds[]>`
    select epoch, final_block, last_sequence,
      coalesce((select sequence from service.events order by sequence limit 1), last_sequence + 1) as first_sequence
    from service.event_log`
  return row ?? null
}

/** Says whether the log can go on behind a place: it is of this epoch, and no entry behind it was removed. */
export function isKnownPlace(
  { epoch, firstSequence, lastSequence }: LogBounds,
  place: { epoch: string; sequence: bigint },
): boolean {
  return place.epoch === epoch && place.sequence <= lastSequence && place.sequence >= firstSequence - 1n
}

/** Finds the entry before the first one of a block or a later one; null: there is none. */
export async function findSequenceBefore(sql: Queryable, block: bigint): Promise<bigint | null> {
  const [row] = await sql<{ sequence: bigint }[]>`
    select sequence - 1 as sequence from service.events where block_number >= ${block} order by block_number, sequence limit 1`
  return row?.sequence ?? null
}

/**
 * Up to which block a reader who is behind `last` has everything that will ever be told of it. Of unread entries the next one
 * decides: those after it are of no block that was final when it was appended.
 */
export async function findReadBlock(sql: Queryable, last: bigint, finalBlock: bigint): Promise<bigint> {
  const [unread] = await sql<{ block: bigint }[]>`
    select block_number as block from service.events where sequence > ${last} order by sequence limit 1`
  if (unread === undefined) return finalBlock
  const before = unread.block - 1n - FINAL_DEPTH
  if (before < 0n) return -1n
  return before < finalBlock ? before : finalBlock
}

/**
 * Entries behind a place, in the order of their ids, at most so many. They are found along one index, by the first of `taskId`,
 * `address` and `kinds`; the other filters only mark those that pass, so that a page reads no more rows than it says.
 * @param caller finds entries of `address` that concern it as no other caller may know
 */
export async function listEvents(
  sql: Queryable,
  { after, limit, filters, caller }: { after: bigint; limit: number; filters: EventFilters; caller: Address | null },
): Promise<StoredEvent[]> {
  const { kinds, taskId, address, ofTask } = filters
  const visibleOnly = address === caller ? sql`` : sql`and not is_private`
  // Compared as pairs: along the index of the ids every entry behind the place would be looked at for what none has.
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
  const isOfAddress =
    taskId === undefined || address === undefined
      ? sql``
      : sql`and exists (
          select from service.event_parties q where q.sequence = e.sequence and q.address = ${address} ${visibleOnly}
        )`
  return await sql<StoredEvent[]>`
    select e.sequence, e.kind, e.block_number, e.block_timestamp, e.transaction_hash, e.task_id, e.resource, e.worker,
      e.addresses, e.data, t.auction_type, t.bid_deadline,
      true ${kinds === undefined ? sql`` : sql`and e.kind = any(${[...kinds]}::text[])`} ${isOfAddress}
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

/** All entries behind a place, in the order of their ids, at most so many, with those whom they concern. */
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
