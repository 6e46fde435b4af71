import { type Address, type Hex, toFunctionSelector } from 'viem'
import { taskMarketAbi } from '../../abis/task-market.ts'
import type { Queryable, Transaction } from '../db/client.ts'
import type { CountedFees } from '../read-model/books.queries.ts'
import { FINAL_DEPTH } from '../read-model/final-blocks.queries.ts'
import type { IndexedBlock } from './indexed-block.queries.ts'

/** Accounts and vaults of one round, beside those that differed before. */
const PAGE = { vaults: 20, credits: 50, requesters: 50 } as const
/** Relays whose fee one round counts at most. */
const MAX_RELAYS = 20_000
/** After so long the fees are counted from the first block again, milliseconds. */
const COUNT_AGAIN_MS = 86_400_000

export interface TaskTotals {
  escrow: bigint
  stake: bigint
  credit: bigint
  /** The running total that is served. */
  totalEscrow: bigint
  /** Tasks; the running count; the sum over their requesters. */
  tasks: bigint
  taskCount: bigint
  createdTasks: bigint
}

/** The market's liabilities, and its tasks in three ways. */
export async function sumTasks(tx: Transaction): Promise<TaskTotals> {
  const [totals] = await tx<TaskTotals[]>`
    select held.*, coalesce(stats.total_escrow, 0) as total_escrow, coalesce(stats.task_count, 0)::int8 as task_count,
      (select coalesce(sum(amount), 0) from credit) as credit,
      (select coalesce(sum(tasks_created), 0)::int8 from agent) as created_tasks
    from (
      select coalesce(sum(escrow), 0) as escrow, coalesce(sum(stake), 0) as stake, count(*) as tasks from task
    ) as held
    left join market_stats stats on true`
  if (totals === undefined) throw new Error('a sum has one row')
  return totals
}

export interface BonusTotals {
  /** The sum over accounts. */
  claimable: bigint
  /** The running total that is served. */
  totalClaimable: bigint
  /** Put in, and neither taken out nor credited. Below zero where tokens that were sent without a call were credited. */
  reserve: bigint
}

/** Null: there is no programme. */
export async function sumBonuses(tx: Transaction): Promise<BonusTotals | null> {
  const [totals] = await tx<BonusTotals[]>`
    select (select coalesce(sum(claimable), 0) from bonus_account) as claimable, total_claimable,
      total_funded - total_taken - total_credited as reserve
    from bonus_programme`
  return totals ?? null
}

/** Amounts are base units of its token. */
export interface VaultRow {
  vaultId: Hex
  vault: Address
  token: Address
  available: bigint
  reserved: bigint
  owed: bigint
  fees: bigint
  feeCredit: bigint
}

/** Ids of a page: those that differed before, and the ones after the cursor. */
export interface PageOf {
  again: readonly string[]
  after: string
}

export async function listVaults(tx: Transaction, { again, after }: PageOf): Promise<VaultRow[]> {
  return await tx<VaultRow[]>`
    (select vault_id, vault, token, available, reserved, owed, fees, fee_credit from sponsored_vault
      where vault_id = any(${[...again]}::text[]))
    union all
    (select vault_id, vault, token, available, reserved, owed, fees, fee_credit from sponsored_vault
      where vault_id > ${after} and vault_id <> all(${[...again]}::text[]) order by vault_id limit ${PAGE.vaults})`
}

export interface AccountRow {
  account: Address
  figure: bigint
}

/** Credits: what accounts can withdraw. */
export async function listCredits(tx: Transaction, { again, after }: PageOf): Promise<AccountRow[]> {
  return await tx<AccountRow[]>`
    (select account, amount as figure from credit where account = any(${[...again]}::text[]))
    union all
    (select account, amount from credit where account > ${after} and account <> all(${[...again]}::text[])
      order by account limit ${PAGE.credits})`
}

/** Accounts by the tasks that they created. */
export async function listRequesters(tx: Transaction, { again, after }: PageOf): Promise<AccountRow[]> {
  return await tx<AccountRow[]>`
    (select address as account, tasks_created::int8 as figure from agent where address = any(${[...again]}::text[]))
    union all
    (select address, tasks_created::int8 from agent where address > ${after} and address <> all(${[...again]}::text[])
      order by address limit ${PAGE.requesters})`
}

/** Where the next page begins: after the last one of this, or, when there is no more, at the beginning. */
export function nextCursor(keys: readonly string[], { again, after }: PageOf, kind: keyof typeof PAGE): string {
  const page = keys.filter((key) => !again.includes(key) && key > after)
  return page.length < PAGE[kind] ? '' : (page.at(-1) ?? '')
}

/**
 * Counts the fees that paid relays left with the forwarder until the block, less what was swept: from the round before on, some
 * relays at a time. `fees` is null while older relays are still being counted.
 */
export async function countFees(
  tx: Transaction,
  { block, before, now }: { block: IndexedBlock; before: CountedFees | null; now: number },
): Promise<{ fees: bigint | null; counted: CountedFees }> {
  const { schemaVersion, blockNumber } = block
  const goesOn = before !== null && before.schemaVersion === schemaVersion && now - before.since < COUNT_AGAIN_MS
  const from = goesOn ? before : { schemaVersion, block: '-1', amount: '0', since: now }
  const after = BigInt(from.block)
  const final = blockNumber - FINAL_DEPTH
  const until = await findPageEnd(tx, { after, final })
  const amount = BigInt(from.amount) + (until > after ? await sumFees(tx, { after, until }) : 0n)
  const counted = { ...from, block: String(until), amount: String(amount) }
  if (until < final) return { fees: null, counted }
  return { fees: amount + (await sumFees(tx, { after: until, until: blockNumber })), counted }
}

/** The block up to which so many relays can be counted: whole blocks, and at least one. */
async function findPageEnd(tx: Queryable, { after, final }: { after: bigint; final: bigint }): Promise<bigint> {
  if (final <= after) return after
  const [page] = await tx<{ count: number; first: bigint | null; last: bigint | null }[]>`
    select count(*)::int as count, min(block_number) as first, max(block_number) as last from (
      select block_number from relayed_intent
      where amount > 0 and block_number > ${after} and block_number <= ${final} order by block_number limit ${MAX_RELAYS}
    ) as page`
  if (page === undefined || page.count < MAX_RELAYS || page.first === null || page.last === null) return final
  return page.last > page.first ? page.last - 1n : page.last
}

const selectorOf = (name: 'createTask' | 'updateTask' | 'claimTask') => {
  const item = taskMarketAbi.find((one) => one.type === 'function' && one.name === name)
  if (item === undefined) throw new Error(`the market has no ${name}`)
  return toFunctionSelector(item as never)
}
/** The calls that take money from the forwarder. */
const taking = { create: selectorOf('createTask'), update: selectorOf('updateTask'), claim: selectorOf('claimTask') }

/**
 * Of each paid relay of these blocks its payment less what its call took; less the sweeps. A transaction has one relay, for
 * relayers are accounts without code: the call's event is that of its actor in its transaction.
 */
async function sumFees(tx: Queryable, { after, until }: { after: bigint; until: bigint }): Promise<bigint> {
  const [sum] = await tx<{ fees: bigint }[]>`
    select
      (select coalesce(sum(relay.amount - coalesce(case relay.selector
        when ${taking.create} then (
          select (made.args->'terms'->>'reward')::numeric from task_event made
          where made.subject = relay.actor and made.block_timestamp = relay.block_timestamp
            and made.transaction_hash = relay.transaction_hash and made.name = 'TaskCreated'
          limit 1
        )
        when ${taking.update} then (
          select greatest(0, (changed.args->>'reward')::numeric - (
            select coalesce(earlier.args->'terms'->>'reward', earlier.args->>'reward')::numeric from task_event earlier
            where earlier.task_id = changed.task_id and earlier.ordinal < changed.ordinal
              and earlier.name in ('TaskCreated', 'TaskUpdated')
            order by earlier.ordinal desc limit 1
          ))
          from task_event changed
          where changed.subject = relay.actor and changed.block_timestamp = relay.block_timestamp
            and changed.transaction_hash = relay.transaction_hash and changed.name = 'TaskUpdated'
          limit 1
        )
        when ${taking.claim} then (
          select taken.stake_amount from claim taken
          where taken.worker = relay.actor and taken.claimed_at = relay.block_timestamp
            and taken.transaction_hash = relay.transaction_hash
          limit 1
        )
      end, 0)), 0) from relayed_intent relay
      where relay.amount > 0 and relay.block_number > ${after} and relay.block_number <= ${until})
      -
      (select coalesce(sum((args->>'amount')::numeric), 0) from market_event
      where name = 'FeesSwept' and contract = 'forwarder' and block_number > ${after} and block_number <= ${until})
      as fees`
  if (sum === undefined) throw new Error('a sum has one row')
  return sum.fees
}
