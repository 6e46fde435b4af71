import type { Address, Hex } from 'viem'
import type { Queryable } from '../../db/client.ts'
import type { movementKinds } from '../../read-model/movement-kinds.ts'
import type { AccountKey } from './account-name.ts'
import type { MovementPlace } from './movement-cursor.ts'

/** A row of the ledger. */
export interface MovementRow extends MovementPlace {
  /** Unix seconds. */
  blockTimestamp: bigint
  transactionHash: Hex
  asset: Address
  kind: (typeof movementKinds)[number]
  fromAccount: string
  toAccount: string
  amount: bigint
  /** Decimal text; null: the token answers no decimals. */
  amountUnits: string | null
  taskId: Hex | null
  operation: Hex | null
}

interface Page {
  /** The block up to which movements are shown. */
  until: bigint
  before: MovementPlace | null
  limit: number
}

const columns = (sql: Queryable) => sql`
  id, block_number, extract(epoch from at)::int8 as block_timestamp, tx_hash as transaction_hash, log_index, asset, kind,
  from_account, to_account, amount, amount_units::text as amount_units, task_id, operation`

const inPage = (sql: Queryable, { until, before }: Page) => sql`
  block_number <= ${until}
  ${before === null ? sql`` : sql`and (block_number, log_index, id) < (${before.blockNumber}, ${before.logIndex}, ${before.id})`}`

const newestFirst = (sql: Queryable, { limit }: Page) =>
  sql`order by block_number desc, log_index desc, id desc limit ${limit}`

/** The movements of a task, newest first. */
export async function listMovementsOfTask(sql: Queryable, taskId: Hex, page: Page): Promise<MovementRow[]> {
  return await sql<MovementRow[]>`
    select ${columns(sql)} from ledger where task_id = ${taskId} and ${inPage(sql, page)} ${newestFirst(sql, page)}`
}

/** The movements into an account and out of it, newest first. */
export async function listMovementsOfAccount(sql: Queryable, account: AccountKey, page: Page): Promise<MovementRow[]> {
  return await sql<MovementRow[]>`
    (select ${columns(sql)} from ledger where ${isFrom(sql, account)} and ${inPage(sql, page)} ${newestFirst(sql, page)})
    union
    (select ${columns(sql)} from ledger where ${isTo(sql, account)} and ${inPage(sql, page)} ${newestFirst(sql, page)})
    ${newestFirst(sql, page)}`
}

/** What an account has of each asset: the sum into it less the sum out of it, up to a block. */
export async function sumAccount(
  sql: Queryable,
  account: AccountKey,
  until: bigint,
): Promise<{ asset: Address; amount: bigint }[]> {
  return await sql<{ asset: Address; amount: bigint }[]>`
    select asset, sum(amount) as amount from (
      select asset, amount from ledger where ${isTo(sql, account)} and block_number <= ${until}
      union all
      select asset, -amount from ledger where ${isFrom(sql, account)} and block_number <= ${until}
    ) as sides
    group by asset order by asset`
}

const isFrom = (sql: Queryable, { accountClass, owner }: AccountKey) =>
  owner === null ? sql`from_class = ${accountClass}` : sql`from_class = ${accountClass} and from_owner = ${owner}`

const isTo = (sql: Queryable, { accountClass, owner }: AccountKey) =>
  owner === null ? sql`to_class = ${accountClass}` : sql`to_class = ${accountClass} and to_owner = ${owner}`
