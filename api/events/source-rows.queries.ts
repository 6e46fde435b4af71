import type { Hex } from 'viem'
import type { Queryable } from '../db/client.ts'
import type { SourceRow } from './event-kinds.ts'

/** An indexer row with its position in the chain, and with facts about the task of the row. */
export interface PlacedRow extends SourceRow {
  blockNumber: bigint
  blockTimestamp: bigint
  transactionHash: Hex
  logIndex: number
  /** The task's present requester, assigned worker, evaluator and resolver. */
  taskParties: Hex[]
  /** The bid deadline of an auction with sealed bids, in Unix seconds; null for other tasks. */
  sealedUntil: bigint | null
}

/** A range of blocks whose rows are read: after `afterBlock`, up to `untilBlock`. */
export interface Window {
  afterBlock: bigint
  /** The earliest time of a row in the range, in Unix seconds; older rows are left out. */
  fromTime: bigint
  untilBlock: bigint
}

/** The tables in which each row causes one entry. The rows are found by block number. */
const tables = [
  'bonus_credit',
  'bonus_withdrawal',
  'vault_event',
  'vault_settlement',
  'vault_claim',
  'identity_registration',
] as const

/**
 * Returns the last block of a batch of about `most` rows that begins after the block `afterBlock`. Returns null if
 * fewer than `most` rows follow `afterBlock`.
 */
export async function findBlockAfterRows(
  sql: Queryable,
  { afterBlock, fromTime }: Omit<Window, 'untilBlock'>,
  { names, most }: { names: readonly string[]; most: number },
): Promise<bigint | null> {
  const ofTables = tables.map(
    (table) => sql`
      union all (
        select block_number from ${sql(table)} where block_number > ${afterBlock} order by block_number limit ${most}
      )`,
  )
  const [row] = await sql<{ block: bigint }[]>`
    select block_number as block from (
      select happened.block_number from unnest(${[...names]}::text[]) as event(name)
      cross join lateral (
        select block_number from task_event
        where name = event.name and block_timestamp >= ${fromTime} and block_number > ${afterBlock}
        order by block_timestamp limit ${most}
      ) as happened
      ${ofTables.reduce((sum, part) => sql`${sum} ${part}`, sql``)}
    ) as next
    order by block_number offset ${most - 1} limit 1`
  return row?.block ?? null
}

/**
 * The chain position of an indexer row or of a log entry. If a row and an entry have equal positions, the entry is
 * about the event that the row records.
 */
export interface EventPlace {
  source: string
  blockNumber: bigint
  transactionHash: Hex
  logIndex: number
}

/** Lists the chain positions of the indexer rows in a range of blocks. */
export async function listRowPlaces(sql: Queryable, window: Window, names: readonly string[]): Promise<EventPlace[]> {
  return await sql<EventPlace[]>`
    select source, block_number, transaction_hash, log_index from (${sourceRows(sql, window, names)}) as happened`
}

/**
 * Lists the log's entries about blocks after `afterBlock`, each with the chain position of the indexer row that caused
 * the entry. Leaves out reverted entries and entries without an indexer row.
 */
export async function listEntryPlaces(
  sql: Queryable,
  { afterBlock }: Window,
): Promise<(EventPlace & { sequence: bigint })[]> {
  return await sql<(EventPlace & { sequence: bigint })[]>`
    select sequence, source, block_number, transaction_hash, log_index from service.events
    where block_number > ${afterBlock} and source is not null and not is_reverted`
}

/**
 * Lists indexer rows in a range of blocks, in the order of the chain. Only the rows that `sources` names
 * (`SourceRow.source`) are listed.
 */
export async function listRows(
  sql: Queryable,
  window: Window,
  { names, sources }: { names: readonly string[]; sources: readonly string[] },
): Promise<PlacedRow[]> {
  return await sql<PlacedRow[]>`
    select happened.source, happened.name, task.id as task_id, happened.subject, happened.args, task.mode,
      happened.block_number, happened.block_timestamp, happened.transaction_hash, happened.log_index,
      array_remove(array[task.requester, task.worker, task.evaluator, task.dispute_resolver], null) as task_parties,
      case when task.auction_type = 'reverse_english' then task.bid_deadline end as sealed_until
    from (${sourceRows(sql, window, names)}) as happened
    left join task on task.id = happened.task_id
    where happened.source = any(${[...sources]}::text[])
    order by happened.block_number, happened.log_index, happened.source`
}

/**
 * Lists the entries with the given sequence numbers, in order, with the facts that are needed to append `reverted`
 * entries.
 */
export async function listOrphans(sql: Queryable, sequences: readonly bigint[]): Promise<OrphanRow[]> {
  return await sql<OrphanRow[]>`
    select e.sequence, e.block_number, e.block_timestamp, e.task_id, e.resource, e.worker,
      array(select address from service.event_parties p where p.sequence = e.sequence and is_private) as private_parties,
      array(select address from service.event_parties p where p.sequence = e.sequence and not is_private) as parties
    from service.events e
    where e.sequence = any(${sequences.map(String)}::text[]::bigint[])
    order by e.sequence`
}

/** An event log entry whose indexer row a reorg removed. */
export interface OrphanRow {
  sequence: bigint
  blockNumber: bigint
  blockTimestamp: bigint
  taskId: Hex | null
  resource: string | null
  worker: Hex | null
  parties: Hex[]
  privateParties: Hex[]
}

/** Lists at most `most` workers who took part in a task. */
export async function listEnteredWorkers(sql: Queryable, taskId: Hex, most: number): Promise<Hex[]> {
  const rows = await sql<{ worker: Hex }[]>`select worker from task_entry where task_id = ${taskId} limit ${most}`
  return rows.map(({ worker }) => worker)
}

/**
 * Returns the SQL that selects, from all tables, the rows that cause log entries. If a foreign hook made a vault's
 * charge, the `task_id` of the settlement and of the claims is null. A foreign hook may choose any id for a charge, so
 * the id need not be the id of a task. Only the vault's own hook uses task ids.
 */
function sourceRows(sql: Queryable, { afterBlock, fromTime, untilBlock }: Window, names: readonly string[]) {
  const isIn = sql`block_number > ${afterBlock} and block_number <= ${untilBlock}`
  const place = sql`block_number, block_timestamp, transaction_hash, log_index`
  return sql`
    select 'task_event:' || id as source, name, task_id, subject, args::jsonb as args, ${place}
    from task_event where name = any(${[...names]}::text[]) and block_timestamp >= ${fromTime} and ${isIn}
    union all
    select 'bonus_credit:' || id, 'bonus_credit', task_id, account,
      jsonb_build_object('role', role, 'rank', rank, 'amount', credited::text), ${place}
    from bonus_credit where ${isIn}
    union all
    select 'bonus_withdrawal:' || id, 'bonus_withdrawal', null, account,
      jsonb_build_object('destination', destination, 'amount', amount::text), ${place}
    from bonus_withdrawal where ${isIn}
    union all
    select 'vault_event:' || e.id, name, null, (select owner from sponsored_vault v where v.vault_id = e.vault_id),
      e.args::jsonb || jsonb_build_object('vaultId', e.vault_id), ${place}
    from vault_event e where name in ('Funded', 'Exited') and ${isIn}
    union all
    select 'vault_settlement:' || s.id, 'vault_settlement',
      (select c.task_id from vault_charge c where c.id = s.id and c.is_own_hook), null,
      jsonb_build_object('vaultId', s.vault_id, 'root', s.root, 'total', s.total::text), ${place}
    from vault_settlement s where ${isIn}
    union all
    select 'vault_claim:' || p.id, 'vault_claim',
      (select c.task_id from vault_charge c where c.id = p.vault_id || ':' || p.task_id and c.is_own_hook), worker,
      jsonb_build_object('vaultId', p.vault_id, 'destination', destination, 'amount', amount::text), ${place}
    from vault_claim p where ${isIn}
    union all
    select 'identity_registration:' || agent_id, 'identity_registration', null, account,
      jsonb_build_object('agentId', agent_id::text), ${place}
    from identity_registration where ${isIn}`
}
