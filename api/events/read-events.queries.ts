import type { Address, Hex } from 'viem'
import type { Queryable } from '../db/client.ts'
import { FINAL_DEPTH } from '../read-model/final-blocks.queries.ts'
import type { LogState } from './event-log.queries.ts'

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
  /** It passes `ofTask`; absent without one. */
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
 * Entries behind a place, in the order of their ids: at most so many, those that do not pass `ofTask` included. Found along one index,
 * whatever the filters.
 * @param caller finds entries of `address` that concern it as no other caller may know
 */
export async function listEvents(
  sql: Queryable,
  { after, limit, filters, caller }: { after: bigint; limit: number; filters: EventFilters; caller: Address | null },
): Promise<StoredEvent[]> {
  const { kinds, taskId, address, ofTask } = filters
  const from =
    address === undefined
      ? sql`service.events e where e.sequence > ${after}`
      : sql`
          service.event_parties p join service.events e using (sequence)
          where p.address = ${address} and p.sequence > ${after} ${address === caller ? sql`` : sql`and not p.is_private`}`
  const match = ofTask === undefined ? sql`` : sql`, t.id is not null ${ofTask(sql) as never} as is_match`
  return await sql<StoredEvent[]>`
    select e.sequence, e.kind, e.block_number, e.block_timestamp, e.transaction_hash, e.task_id, e.resource, e.worker,
      e.addresses, e.data, t.auction_type, t.bid_deadline ${match}
    from (
      select e.* from ${from}
        ${taskId === undefined ? sql`` : sql`and e.task_id = ${taskId}`}
        ${kinds === undefined ? sql`` : sql`and e.kind = any(${[...kinds]}::text[])`}
      order by ${address === undefined ? sql`e.sequence` : sql`p.sequence`} limit ${limit}
    ) as e
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
