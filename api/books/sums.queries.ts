import type { Address, Hex } from 'viem'
import type { Queryable, Transaction } from '../db/client.ts'
import type { CountedFlows, Flow } from '../read-model/books.queries.ts'
import { FINAL_DEPTH } from '../read-model/final-blocks.queries.ts'
import type { IndexedBlock } from './indexed-block.queries.ts'

/**
 * The number of vaults, of credits and of requesters that one round compares. In addition, a round compares the vaults,
 * credits and requesters that differed in the previous round.
 */
const PAGE = { vaults: 20, credits: 50, requesters: 50 } as const
/** The approximate number of relays and task events whose movements one round counts. */
const MAX_MOVEMENTS = 20_000
/**
 * The task events that move money, except the events of awards (`TaskCompleted`). The events are counted only to limit
 * the work of one round. Awards need no count, because an award usually comes with a relay or an event that is counted,
 * such as `VerdictIssued`.
 */
const MONEY_EVENTS = [
  'TaskCreated',
  'TaskUpdated',
  'TaskWorkerSelected',
  'EscrowReturned',
  'TaskCancelled',
  'TaskExpired',
  'VerdictIssued',
  'StakeReturned',
  'StakeForfeited',
  'PayoutDeferred',
] as const
/** The classes of ledger accounts whose money the market, the forwarder or the bonus programme holds. */
const ACCOUNT_CLASSES = [
  'escrow',
  'stake',
  'credit',
  'service_fees',
  'prepaid',
  'bonus',
  'bonus_reserve',
  'unassigned',
] as const
/** The milliseconds after which all flows are counted again from the first block. */
const COUNT_AGAIN_MS = 86_400_000

export interface TaskTotals {
  escrow: bigint
  stake: bigint
  credit: bigint
  /** The total escrow that the API returns. The indexer updates this total with each event. */
  totalEscrow: bigint
  /** The number of the indexer's task rows. */
  tasks: bigint
  /** The number of tasks that the API returns. The indexer updates this number with each task. */
  taskCount: bigint
  /** The number of created tasks: the sum of the numbers that are stored for each requester. */
  createdTasks: bigint
}

/** Returns the market's liabilities, and its number of tasks computed in three ways. */
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
  /** The sum of the amounts that accounts can claim, computed from all accounts. */
  claimable: bigint
  /** The claimable total that the API returns. The indexer updates this total with each event. */
  totalClaimable: bigint
  /**
   * The programme's reserve: the deposits, minus the amounts that the owner took out, minus the amounts that were
   * credited to accounts. The reserve can be negative. If an account transfers tokens directly to the programme, the
   * tokens are not counted as a deposit, but the programme can credit them.
   */
  reserve: bigint
}

/** Returns the sums of the bonus programme, or null if no programme is indexed. */
export async function sumBonuses(tx: Transaction): Promise<BonusTotals | null> {
  const [totals] = await tx<BonusTotals[]>`
    select (select coalesce(sum(claimable), 0) from bonus_account) as claimable, total_claimable,
      total_funded - total_taken - total_credited as reserve
    from bonus_programme`
  return totals ?? null
}

/** A vault's sums, in base units of its token. */
export interface VaultRow {
  vaultId: Hex
  vault: Address
  token: Address
  /** The money that moved into the vault, according to the ledger. */
  inflow: bigint
  /** The money that moved out of the vault, according to the ledger. */
  outflow: bigint
  available: bigint
  reserved: bigint
  owed: bigint
  fees: bigint
  feeCredit: bigint
}

/**
 * The vaults or accounts that one round compares: the ids `again`, which differed in the previous round, and the next
 * ids after the id `after`.
 */
export interface PageOf {
  again: readonly string[]
  after: string
}

export async function listVaults(tx: Transaction, { again, after }: PageOf): Promise<VaultRow[]> {
  return await tx<VaultRow[]>`
    select page.vault_id, vault, token, available, reserved, owed, fees, fee_credit, funded_total as inflow,
      withdrawn_total + claimed_total + collected_total + coalesce(ended.returned, 0) as outflow
    from (
      (select * from sponsored_vault where vault_id = any(${[...again]}::text[]))
      union all
      (select * from sponsored_vault
        where vault_id > ${after} and vault_id <> all(${[...again]}::text[]) order by vault_id limit ${PAGE.vaults})
    ) as page
    -- A vault exits once.
    left join vault_epoch ended on ended.id = page.vault_id || ':0'
    order by page.vault_id`
}

export interface AccountRow {
  account: Address
  figure: bigint
}

/** Lists a page of accounts with their credits. An account can withdraw its credit. */
export async function listCredits(tx: Transaction, { again, after }: PageOf): Promise<AccountRow[]> {
  return await tx<AccountRow[]>`
    (select account, amount as figure from credit where account = any(${[...again]}::text[]))
    union all
    (select account, amount from credit where account > ${after} and account <> all(${[...again]}::text[])
      order by account limit ${PAGE.credits})`
}

/** Lists a page of accounts with the number of tasks that each created. */
export async function listRequesters(tx: Transaction, { again, after }: PageOf): Promise<AccountRow[]> {
  return await tx<AccountRow[]>`
    (select address as account, tasks_created::int8 as figure from agent where address = any(${[...again]}::text[]))
    union all
    (select address, tasks_created::int8 from agent where address > ${after} and address <> all(${[...again]}::text[])
      order by address limit ${PAGE.requesters})`
}

/**
 * Returns the cursor of the next page: the last key of this page. After the last page it is the empty text, so the next
 * round starts again with the first page.
 */
export function nextCursor(keys: readonly string[], { again, after }: PageOf, kind: keyof typeof PAGE): string {
  const page = keys.filter((key) => !again.includes(key) && key > after)
  return page.length < PAGE[kind] ? '' : (page.at(-1) ?? '')
}

/**
 * Counts the movements of money between accounts. Continues after the last block that the previous round counted, up to
 * `block` at most. One round counts a limited number of movements. If this limit ends the round before `block`, the
 * result has `flows` null.
 */
export async function countFlows(
  tx: Transaction,
  {
    contracts,
    block,
    before,
    now,
  }: {
    /**
     * The deployment's contracts except the vaults. Money of the class `unassigned` is counted only at these addresses.
     */
    contracts: readonly Address[]
    block: IndexedBlock
    before: CountedFlows | null
    now: number
  },
): Promise<{ flows: Flow[] | null; counted: CountedFlows }> {
  const { schemaVersion, blockNumber } = block
  const goesOn = before !== null && before.schemaVersion === schemaVersion && now - before.since < COUNT_AGAIN_MS
  const from: CountedFlows = goesOn ? before : { schemaVersion, block: '-1', flows: [], since: now }
  const after = BigInt(from.block)
  const finalBlock = blockNumber - FINAL_DEPTH
  const until = await findPageEnd(tx, { after, final: finalBlock })
  const flows = until > after ? addFlows(from.flows, await sumFlows(tx, { contracts, after, until })) : from.flows
  const countedFlows = { ...from, block: String(until), flows }
  if (until < finalBlock) return { flows: null, counted: countedFlows }
  return {
    flows: addFlows(flows, await sumFlows(tx, { contracts, after: until, until: blockNumber })),
    counted: countedFlows,
  }
}

/**
 * Returns the last block whose movements this round counts. The round counts the blocks after `after`, as long as these
 * blocks together have at most `MAX_MOVEMENTS` relays and task events that move money. If there are new final blocks,
 * the round counts at least one block, even if that block exceeds the limit.
 */
async function findPageEnd(tx: Queryable, { after, final }: { after: bigint; final: bigint }): Promise<bigint> {
  if (final <= after) return after
  const [page] = await tx<{ count: number; first: bigint | null; last: bigint | null }[]>`
    select count(*)::int as count, min(block_number) as first, max(block_number) as last from (
      (select block_number from relayed_intent
        where amount > 0 and block_number > ${after} and block_number <= ${final}
        order by block_number limit ${MAX_MOVEMENTS})
      union all
      (select page.block_number from unnest(${[...MONEY_EVENTS]}::text[]) as event(name)
        cross join lateral (
          select block_number from task_event
          where name = event.name and amount is not null and block_number > ${after} and block_number <= ${final}
          order by block_number limit ${MAX_MOVEMENTS}
        ) as page)
      order by block_number limit ${MAX_MOVEMENTS}
    ) as page`
  if (page === undefined || page.count < MAX_MOVEMENTS || page.first === null || page.last === null) return final
  return page.last > page.first ? page.last - 1n : page.last
}

/**
 * Sums the ledger's movements in a range of blocks. Leaves out a movement if neither side belongs to the market, the
 * forwarder or the bonus programme.
 */
async function sumFlows(
  tx: Queryable,
  { contracts, after, until }: { contracts: readonly Address[]; after: bigint; until: bigint },
): Promise<Flow[]> {
  return await tx<Flow[]>`
    select asset, from_class as "from", to_class as "to", sum(amount)::text as amount,
      case when from_class = 'unassigned' and from_owner = any(${[...contracts]}::text[]) then from_owner end
        as from_contract,
      case when to_class = 'unassigned' and to_owner = any(${[...contracts]}::text[]) then to_owner end as to_contract
    from ledger
    where block_number > ${after} and block_number <= ${until}
      and (from_class = any(${[...ACCOUNT_CLASSES]}::text[]) or to_class = any(${[...ACCOUNT_CLASSES]}::text[]))
    group by 1, 2, 3, 5, 6`
}

function addFlows(flows: readonly Flow[], newFlows: readonly Flow[]): Flow[] {
  const sums = new Map<string, Flow>()
  for (const flow of [...flows, ...newFlows]) {
    const { asset, from, fromContract, to, toContract, amount } = flow
    const key = [asset, from, fromContract, to, toContract].join(' ')
    sums.set(key, { ...flow, amount: String(BigInt(sums.get(key)?.amount ?? 0) + BigInt(amount)) })
  }
  return [...sums.values()]
}
