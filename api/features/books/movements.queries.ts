import type { Address, Hex } from 'viem'
import type { Database, Queryable, Transaction } from '../../db/client.ts'
import type { movementKinds } from '../../read-model/movement-kinds.ts'
import type { MovementPlace } from './movement-cursor.ts'
import { findPageStartOfAccount, findPageStartOfTask, type OwnedAccount, type Page } from './page-start.queries.ts'

/** A row of the ledger: one movement of money. */
export interface MovementRow extends MovementPlace {
  /** The time of the block, in Unix seconds. */
  blockTimestamp: bigint
  transactionHash: Hex
  asset: Address
  kind: (typeof movementKinds)[number]
  fromAccount: string
  toAccount: string
  amount: bigint
  /** The amount in whole tokens, as a decimal text. Null if the number of decimals of the token is not known. */
  amountUnits: string | null
  taskId: Hex | null
  operation: Hex | null
}

const columns = (sql: Queryable) => sql`
  id, block_number, extract(epoch from at)::int8 as block_timestamp, tx_hash as transaction_hash, log_index, asset, kind,
  from_account, to_account, amount, amount_units::text as amount_units, task_id, operation`

/**
 * Returns the SQL condition that selects the movements of a page. The condition has a lower and an upper limit of the
 * block height, so the database can use an index on the block height.
 */
const inPage = (sql: Queryable, { until, before }: Page, start: bigint) =>
  before === null
    ? sql`block_number between ${start} and ${until}`
    : sql`block_number between ${start} and least(${until}, ${before.blockNumber})
      and (block_number, log_index, id) < (${before.blockNumber}, ${before.logIndex}, ${before.id})`

const newestFirst = (sql: Queryable, { limit }: Page) =>
  sql`order by block_number desc, log_index desc, id desc limit ${limit}`

/**
 * Lists the movements of a task, newest first. All statements of the transaction `tx` must read one snapshot. Else a
 * reorg between two statements could shorten the page.
 */
export async function listMovementsOfTask(tx: Transaction, taskId: Hex, page: Page): Promise<MovementRow[]> {
  const start = await findPageStartOfTask(tx, taskId, page)
  return await tx<MovementRow[]>`
    select ${columns(tx)} from ledger where task_id = ${taskId} and ${inPage(tx, page, start)} ${newestFirst(tx, page)}`
}

/**
 * The number of newest events of a task that bound the search for the task's newest movements. The search covers only
 * the blocks from the oldest of these events on.
 */
const NEWEST_EVENTS = 1_000

/**
 * Lists the newest movements of a task, newest first. Blocks before the task's thousandth newest event are not
 * searched.
 */
export async function listNewestMovementsOfTask(
  { byKey }: Pick<Database, 'byKey'>,
  taskId: Hex,
  limit: number,
): Promise<MovementRow[]> {
  return await byKey<MovementRow[]>`
    select ${columns(byKey)} from ledger
    where task_id = ${taskId} and block_number >= coalesce((
      select block_number from task_event
      where task_id = ${taskId} order by ordinal desc offset ${NEWEST_EVENTS - 1} limit 1), 0)
    order by block_number desc, log_index desc, id desc limit ${limit}`
}

/**
 * Lists the movements into an account and out of it, newest first. All statements of the transaction `tx` must read one
 * snapshot.
 */
export async function listMovementsOfAccount(
  tx: Transaction,
  account: OwnedAccount,
  page: Page,
): Promise<MovementRow[]> {
  const start = await findPageStartOfAccount(tx, account, page)
  return await tx<MovementRow[]>`
    (select ${columns(tx)} from ledger where ${fromCondition(tx, account)} and ${inPage(tx, page, start)} ${newestFirst(tx, page)})
    union
    (select ${columns(tx)} from ledger where ${toCondition(tx, account)} and ${inPage(tx, page, start)} ${newestFirst(tx, page)})
    ${newestFirst(tx, page)}`
}

/**
 * Returns the balance of an account in each asset up to a block: the sum of movements into the account minus the sum of
 * movements out of it.
 */
export async function sumAccount(
  sql: Queryable,
  account: OwnedAccount,
  until: bigint,
): Promise<{ asset: Address; amount: bigint }[]> {
  return await sql<{ asset: Address; amount: bigint }[]>`
    select asset, sum(amount) as amount from (
      select asset, amount from ledger where ${toCondition(sql, account)} and block_number <= ${until}
      union all
      select asset, -amount from ledger where ${fromCondition(sql, account)} and block_number <= ${until}
    ) as sides
    group by asset order by asset`
}

const fromCondition = (sql: Queryable, { accountClass, owner }: OwnedAccount) =>
  sql`from_class = ${accountClass} and from_owner = ${owner}`

const toCondition = (sql: Queryable, { accountClass, owner }: OwnedAccount) =>
  sql`to_class = ${accountClass} and to_owner = ${owner}`
