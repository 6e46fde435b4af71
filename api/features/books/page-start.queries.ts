import type { PendingQuery, Row } from 'postgres'
import type { Hex } from 'viem'
import type { Queryable, Transaction } from '../../db/client.ts'
import type { MovementPlace } from './movement-cursor.ts'

type Fragment = PendingQuery<Row[]>

/** The position and size of a page of movements. Movements are ordered from newest to oldest. */
export interface Page {
  /** The largest block height of the movements that the page may contain. */
  until: bigint
  /** The last movement of the previous page, or null if this is the first page. */
  before: MovementPlace | null
  limit: number
}

/**
 * A ledger account whose owner is always set. For `service_fees` and `bonus_reserve`, the owner is the contract that
 * holds the account's money.
 */
export interface OwnedAccount {
  accountClass: string
  owner: Hex
}

/**
 * A selection of rows of one table. Each selected row causes a movement of the account or the task whose page is read.
 * The table must have an index with the selected rows in the order of the blocks.
 */
interface Source {
  table: Fragment
  condition: Fragment
  /** The SQL column that has the block height of a row. The default is `block_number`. */
  block?: Fragment
}

const RECEIVED_BY_REQUESTERS = ['EscrowReturned', 'TaskCancelled', 'TaskExpired'] as const
const PAID_BY_REQUESTERS = ['TaskCreated', 'TaskUpdated'] as const
const ESCROW_EVENTS = [...PAID_BY_REQUESTERS, ...RECEIVED_BY_REQUESTERS, 'VerdictIssued'] as const
const STAKE_EVENTS = ['TaskWorkerSelected', 'StakeReturned'] as const

/**
 * Returns the height of the oldest block from which a page of the account's movements is read. The blocks from this
 * height up to the newest block of the page contain enough movements to fill the page. Returns 0 if the account has
 * fewer movements. Example: for `service_fees` with a limit of 50, returns the block of the fiftieth newest relayed
 * write with a fee.
 */
export async function findPageStartOfAccount(tx: Transaction, account: OwnedAccount, page: Page): Promise<bigint> {
  // The sources have only rows that always cause a movement (ops/indexer/ledger.sql).
  return await findPageStart(tx, await listSources(tx, account), page)
}

/**
 * Returns the height of the oldest block from which a page of the task's movements is read. The blocks from this height
 * up to the newest block of the page contain enough movements to fill the page. Returns 0 if the task has fewer
 * movements.
 */
export async function findPageStartOfTask(tx: Transaction, taskId: Hex, page: Page): Promise<bigint> {
  const owner = hiddenFromPlanner(tx, taskId)
  const events = eventsOf(tx, { taskId: owner }, [...ESCROW_EVENTS, ...STAKE_EVENTS, 'PayoutDeferred'])
  const relays = { table: tx`relayed_intent`, condition: tx`task_id = ${owner} and amount > escrow_amount` }
  return await findPageStart(tx, [...events, relays], page)
}

async function findPageStart(tx: Transaction, sources: readonly Source[], page: Page): Promise<bigint> {
  const newest = sources
    .map((source) => newestBlocks(tx, source, page))
    .reduce((sum, each) => tx`${sum} union all ${each}`)
  // The index returns the newest rows first; a bitmap scan would return and sort all rows of an owner. The three
  // statements are sent at once, in this order.
  const [, [place]] = await Promise.all([
    tx`set local enable_bitmapscan = off`,
    tx<{ blockNumber: bigint }[]>`
      select block_number from (${newest}) as place order by block_number desc offset ${page.limit - 1} limit 1`,
    tx`set local enable_bitmapscan = on`,
  ])
  return place?.blockNumber ?? 0n
}

/**
 * Returns the SQL that selects the block heights of a source's newest rows. Only rows before the block of the previous
 * page's last movement are selected. For the first page, all rows up to the block `until` are selected.
 */
function newestBlocks(
  sql: Queryable,
  { table, condition, block = sql`block_number` }: Source,
  { until, before, limit }: Page,
): Fragment {
  // The rows of that block are not counted, because the previous page may have shown some of them.
  const end = before !== null && before.blockNumber <= until ? before.blockNumber : until + 1n
  return sql`
    (select ${block} as block_number from ${table} where ${condition} and ${block} < ${end}
      order by ${block} desc limit ${limit})`
}

async function listSources(sql: Queryable, account: OwnedAccount): Promise<Source[]> {
  const owner = hiddenFromPlanner(sql, account.owner)
  const ofVault = sql`vault_id = (select vault_id from vault_address where vault = ${owner})`
  const rewardToken = sql`(select token from bonus_programme where hook = ${owner})`
  const paymentCondition = sql`
    contract = (select forwarder from market_config) and token = (select usdc from market_config)`
  switch (account.accountClass) {
    case 'wallet':
      return [...sourcesOfWallet(sql, owner), ...(await listReceipts(sql, account.owner))]
    case 'escrow':
      return eventsOf(sql, { taskId: owner }, ESCROW_EVENTS)
    case 'stake':
      return eventsOf(sql, { taskId: owner }, STAKE_EVENTS)
    case 'credit':
      return [
        ...eventsOf(sql, { subject: owner }, ['PayoutDeferred']),
        { table: sql`market_event`, condition: sql`name = 'CreditWithdrawn' and args->>'account' = ${owner}` },
      ]
    case 'service_fees':
      return [{ table: sql`relayed_intent`, condition: sql`amount > escrow_amount` }]
    case 'prepaid':
      return [
        { table: sql`relayed_intent`, condition: sql`actor = ${owner} and prepaid` },
        { table: sql`prepaid_refund`, condition: sql`payer = ${owner} and amount > 0` },
        { table: sql`arrival`, condition: sql`sender = ${owner} and amount > 0 and ${paymentCondition}` },
      ]
    case 'bonus':
      return [
        { table: sql`bonus_credit`, condition: sql`account = ${owner} and credited > 0` },
        { table: sql`bonus_withdrawal`, condition: sql`account = ${owner}` },
      ]
    case 'bonus_reserve':
      return [
        { table: sql`bonus_credit`, condition: sql`credited > 0` },
        { table: sql`arrival`, condition: sql`contract = ${owner} and amount > 0 and token = ${rewardToken}` },
      ]
    case 'unassigned':
      return [
        {
          table: sql`arrival`,
          condition: sql`contract = ${owner} and amount > 0 and token is distinct from ${rewardToken}
            and token is distinct from (select usdc from market_config where forwarder = ${owner})`,
        },
      ]
    case 'vault':
      return [
        { table: sql`vault_charge`, condition: ofVault },
        { table: sql`vault_event`, condition: sql`${ofVault} and name = 'Funded'` },
      ]
    case 'vault_reserved':
      return [{ table: sql`vault_charge`, condition: ofVault }]
    case 'vault_owed':
      return [
        { table: sql`vault_charge`, condition: sql`${ofVault} and credited > 0`, block: sql`ended_block` },
        { table: sql`vault_claim`, condition: sql`${ofVault} and amount > 0` },
      ]
    case 'vault_fees':
      return [{ table: sql`vault_charge`, condition: sql`${ofVault} and credited_fee > 0`, block: sql`ended_block` }]
    default:
      throw new Error(`the ledger has no accounts of the class ${account.accountClass}`)
  }
}

/**
 * Lists the sources of the movements of a wallet, except the sources that `listReceipts` returns. A source is a set of
 * database rows that cause movements (`Source`).
 */
function sourcesOfWallet(sql: Queryable, wallet: Fragment): Source[] {
  return [
    ...eventsOf(sql, { subject: wallet }, [...ESCROW_EVENTS, ...STAKE_EVENTS]),
    { table: sql`award`, condition: sql`worker = ${wallet} and worker_payment > 0` },
    { table: sql`relayed_intent`, condition: sql`actor = ${wallet} and amount > escrow_amount` },
    { table: sql`prepaid_refund`, condition: sql`payer = ${wallet} and amount > 0` },
    { table: sql`arrival`, condition: sql`sender = ${wallet} and amount > 0` },
    { table: sql`vault_event`, condition: sql`args->>'from' = ${wallet} and name = 'Funded'` },
  ]
}

/**
 * Lists the sources of the money that a wallet receives as withdrawals, claims and platform fees. The list is empty if
 * the address is a contract of the deployment, because the ledger then books such receipts to the account `unassigned`.
 */
async function listReceipts(sql: Queryable, wallet: Hex): Promise<Source[]> {
  const [contractRow] = await sql`
    select from vault_address where vault = ${wallet}
    union all select from market_config where ${wallet} in (market, forwarder)
    union all select from bonus_programme where hook = ${wallet}`
  if (contractRow !== undefined) return []
  const terms = await listFeeTerms(sql, wallet)
  const owner = hiddenFromPlanner(sql, wallet)
  return [
    { table: sql`bonus_withdrawal`, condition: sql`destination = ${owner}` },
    { table: sql`vault_claim`, condition: sql`destination = ${owner} and amount > 0` },
    { table: sql`market_event`, condition: sql`args->>'to' = ${owner} and name = 'CreditWithdrawn'` },
    ...terms.map(({ since, next }) => ({
      table: sql`award`,
      condition: sql`platform_fee > 0 and block_number > ${since} and block_number < ${next}`,
    })),
  ]
}

/**
 * Lists the ranges of blocks in which a wallet was the recipient of platform fees. A range begins after the block
 * `since` and ends before the block `next`.
 */
async function listFeeTerms(sql: Queryable, wallet: Hex): Promise<{ since: bigint; next: bigint }[]> {
  return await sql<{ since: bigint; next: bigint }[]>`
    select since, next from (
      select args->>'recipient' as recipient, block_number as since,
        lead(block_number, 1, 9223372036854775807) over (order by block_number, log_index) as next
      from market_event where contract = 'market' and name = 'FeeRecipientUpdated'
    ) as setting
    where recipient = ${wallet}`
}

/**
 * Returns one source of movements for each of the given event names. A source selects the events with one name that
 * concern the given wallet or task and have an amount.
 */
function eventsOf(
  sql: Queryable,
  owner: { subject: Fragment } | { taskId: Fragment },
  names: readonly string[],
): Source[] {
  // In the index, only rows with equal names are in the order of blocks.
  const ownerCondition = 'subject' in owner ? sql`subject = ${owner.subject}` : sql`task_id = ${owner.taskId}`
  return names.map((name) => ({
    table: sql`task_event`,
    condition: sql`${ownerCondition} and name = ${name} and amount is not null`,
  }))
}

/**
 * Hides the address of a wallet or the id of a task from the query planner. The planner then expects few rows for it
 * and uses the index by owner.
 */
function hiddenFromPlanner(sql: Queryable, value: Hex): Fragment {
  // If the planner knew an owner with many rows, it could read the rows of all owners backwards, up to the whole table.
  return sql`(select ${value}::text)`
}
