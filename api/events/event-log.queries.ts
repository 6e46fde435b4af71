import type { Hex } from 'viem'
import type { Queryable, Transaction } from '../db/client.ts'
import { EVENTS_CHANNEL } from '../read-model/row-changes.ts'

/** The progress of the event log. */
export interface LogState {
  /** A random id of the log, which is a part of every event id. The log gets a new id if `RowsState.origin` changes. */
  epoch: string
  origin: string
  head: bigint
  /** The time of the block `head`, in Unix seconds. */
  headTime: bigint
  finalBlock: bigint
  /** A lower bound for the times of blocks above `finalBlock`, in Unix seconds. */
  finalTime: bigint
  lastSequence: bigint
  /**
   * The version of the indexer's rows (`RowsState.version`) when they were last compared with the log. Null if the last
   * comparison did not reach the newest block.
   */
  rowsVersion: string | null
}

/**
 * The state of the indexer's rows: the newest indexed block (`head`), and which indexer run wrote the rows (`origin`).
 */
export interface RowsState {
  head: bigint
  headTime: bigint
  /**
   * An identifier of the rows, made from the start time of the database server, the indexer's run and the deployment.
   * If the identifier changes, the indexer may have lost rows from which entries of the log were built.
   */
  origin: string
  /** The version of the rows, which changes with every commit of the indexer; null if unknown. */
  version: string | null
}

/** A new entry of the event log. */
export interface EntryRow {
  sequence: bigint
  kind: string
  source: string | null
  blockNumber: bigint
  blockTimestamp: bigint
  transactionHash: Hex | null
  logIndex: number | null
  taskId: Hex | null
  resource: string | null
  worker: Hex | null
  addresses: Hex[]
  data: Record<string, unknown>
  /** The accounts that the entry publicly concerns, in addition to `addresses`. */
  parties: Hex[]
  /**
   * The accounts that the entry concerns privately. If a reader asks for the entries that concern one of these
   * accounts, the entry is found only if the reader is that account.
   */
  privateParties: Hex[]
}

/**
 * Allows the database server to reuse the plan of a statement in this transaction, if the plan is not slower. The
 * server then does not plan each statement again.
 */
export async function choosePlans(tx: Queryable): Promise<void> {
  // Planning takes longer than running the statements for the rows of one block (measured: 16 ms against 3 ms). A plan
  // for many rows may read a whole table.
  await tx`set local plan_cache_mode = auto`
}

/**
 * Locks the log, so only one process appends at a time. The lock must be the first statement of a transaction. The
 * transaction's snapshot then includes the entries of the previous lock holder.
 */
export async function lockLog(tx: Queryable): Promise<void> {
  await tx`lock table service.event_log in share row exclusive mode`
}

/**
 * Returns the state of the indexer's rows. Returns null while rows may be missing, for example while the indexer writes
 * its rows again.
 */
export async function findRowsState(sql: Queryable): Promise<RowsState | null> {
  const [row] = await sql<RowsState[]>`
    select block_number as head, block_timestamp as head_time,
      row(pg_postmaster_start_time(), origin, schema_version)::text as origin, version
    from indexed_head where ready`
  return row ?? null
}

/** Returns the progress of the log, or null before the first entry. */
export async function findLogState(sql: Queryable): Promise<LogState | null> {
  const [row] = await sql<LogState[]>`
    select epoch, origin, head, head_time, final_block, final_time, last_sequence, rows_version from service.event_log`
  return row ?? null
}

/** Stores the progress of the log. The commit of the transaction notifies every process that waits for entries. */
export async function setLogState(tx: Transaction, state: LogState): Promise<void> {
  await tx`
    insert into service.event_log ${tx({ ...state })}
    on conflict (is_one) do update set epoch = excluded.epoch, origin = excluded.origin, head = excluded.head,
      head_time = excluded.head_time, final_block = excluded.final_block, final_time = excluded.final_time,
      last_sequence = excluded.last_sequence, rows_version = excluded.rows_version`
  await tx`select pg_notify(${EVENTS_CHANNEL}, '')`
}

/**
 * Returns the time, in Unix seconds, of the newest entry about the given block or an earlier block. Returns null if no
 * such entry exists.
 */
export async function findTimeUpTo(sql: Queryable, block: bigint): Promise<bigint | null> {
  const [row] = await sql<{ time: bigint }[]>`
    select block_timestamp as time from service.events
    where block_number <= ${block} order by block_number desc limit 1`
  return row?.time ?? null
}

/** The largest number of rows in one insert. PostgreSQL allows 65,535 parameters in a statement. */
const INSERTED_AT_ONCE = 1_000

/** Inserts new entries, and the accounts that they concern. */
export async function insertEntries(tx: Transaction, entries: readonly EntryRow[]): Promise<void> {
  for (let begin = 0; begin < entries.length; begin += INSERTED_AT_ONCE) {
    await insertSome(tx, entries.slice(begin, begin + INSERTED_AT_ONCE))
  }
}

async function insertSome(tx: Transaction, entries: readonly EntryRow[]): Promise<void> {
  // The driver's `json` is `jsonb`, which loses the order of the fields.
  const rows = entries.map(({ parties: _, privateParties: __, ...row }) => row)
  await tx`insert into service.events ${tx(rows as never)}`
  const parties = entries.flatMap(({ sequence, addresses, parties: publicParties, privateParties }) => {
    const openAddresses = new Set([...addresses, ...publicParties])
    const hiddenAddresses = new Set(privateParties.filter((address) => !openAddresses.has(address)))
    return [
      ...[...openAddresses].map((address) => ({ address, sequence, isPrivate: false })),
      ...[...hiddenAddresses].map((address) => ({ address, sequence, isPrivate: true })),
    ]
  })
  if (parties.length > 0) {
    const columns = {
      addresses: parties.map(({ address }) => address),
      sequences: parties.map(({ sequence }) => sequence.toString()),
      hidden: parties.map(({ isPrivate }) => String(isPrivate)),
    }
    await tx`
      insert into service.event_parties (address, sequence, is_private)
      select * from unnest(${columns.addresses}::text[], ${columns.sequences}::text[]::bigint[],
        ${columns.hidden}::text[]::boolean[])`
  }
}

/** Marks entries as reverted, because a reorg removed their indexer rows. */
export async function markReverted(tx: Transaction, sequences: readonly bigint[]): Promise<void> {
  await tx`update service.events set is_reverted = true where sequence = any(${sequences.map(String)}::text[]::bigint[])`
}

/**
 * Deletes at most `most` of the entries that are older than a time (Unix seconds), oldest first. @returns the number of
 * deleted entries
 */
export async function deleteOldEntries(
  sql: Queryable,
  { before, most }: { before: bigint; most: number },
): Promise<number> {
  const { count } = await sql`
    delete from service.events where sequence in (
      select sequence from (
        select sequence, block_timestamp from service.events
        where (select block_timestamp from service.events order by block_number, sequence limit 1) < ${before}
        order by block_number, sequence limit ${most}
      ) as oldest where block_timestamp < ${before}
    )`
  return count
}
