import type { Address } from 'viem'
import { bonusHookAbi } from '../../abis/bonus-hook.ts'
import { paymentForwarderAbi } from '../../abis/payment-forwarder.ts'
import { sponsoredVaultAbi } from '../../abis/sponsored-vault.ts'
import { taskMarketAbi } from '../../abis/task-market.ts'
import type { Deployment } from '../chain/deployment.ts'
import type { AssetBooks, BookSum, ContractBooks, Difference } from '../read-model/books.queries.ts'
import type { LedgerSums } from './ledger-sums.ts'
import type { Compared } from './run-round.ts'
import type { AccountRow, BonusTotals, TaskTotals, VaultRow } from './sums.queries.ts'

/** The sums and rows of the indexer that are compared in one round. */
export interface SumRows {
  tasks: TaskTotals
  bonuses: BonusTotals | null
  /**
   * The sums of the ledger's movements at the market, the forwarder and the bonus programme. Each round counts a part
   * of the ledger. Until the rounds have counted the whole ledger, the amounts are null.
   */
  ledger: readonly CountedSums[]
  vaults: readonly VaultRow[]
  credits: readonly AccountRow[]
  requesters: readonly AccountRow[]
}

/**
 * The sums of the ledger's movements of one asset at one contract. `counted` is null until the rounds have counted the
 * whole ledger.
 */
export type CountedSums = Pick<LedgerSums, 'name' | 'asset' | 'address'> & {
  counted: Pick<LedgerSums, 'inflow' | 'outflow' | 'accounts'> | null
}

/** The amounts that a vault's function `totals` returns. */
export type VaultTotals = Pick<VaultRow, (typeof totalNames)[number]>

/**
 * The values that the contracts returned in one round. A value is null if the call was not answered. Lists are in the
 * order of the rows.
 */
export interface SumViews {
  totalEscrow: bigint | null
  fees: bigint | null
  totalClaimable: bigint | null
  totals: readonly (VaultTotals | null)[]
  credits: readonly (bigint | null)[]
  nonces: readonly (bigint | null)[]
  /** The token balances of the contracts, in the order of `SumRows.ledger` and of `SumRows.vaults`. */
  balances: { ledger: readonly (bigint | null)[]; vaults: readonly (bigint | null)[] }
}

/** The result of comparing the sums in one round. */
export interface ComparedSums extends Compared {
  assets: AssetBooks[]
}

/**
 * The totals of a vault that are amounts of money. Each entry is the name of a total and the name of the same amount in
 * the published books.
 */
const vaultAccounts = [
  ['available', 'vault'],
  ['reserved', 'vault_reserved'],
  ['owed', 'vault_owed'],
  ['fees', 'vault_fees'],
] as const
/** The names of all totals of a vault. `feeCredit` is an allowance for fees, and not money. */
const totalNames = [...vaultAccounts.map(([name]) => name), 'feeCredit'] as const

/** Lists the contract calls of one round. The answers for `toSumViews` must be in the same order. */
export function listSumCalls({ market, forwarder, bonusHook }: Deployment, rows: SumRows) {
  const ofMarket = { address: market, abi: taskMarketAbi } as const
  return [
    { ...ofMarket, functionName: 'totalEscrow' } as const,
    { address: forwarder, abi: paymentForwarderAbi, functionName: 'fees' } as const,
    ...(bonusHook === undefined
      ? []
      : [{ address: bonusHook, abi: bonusHookAbi, functionName: 'totalClaimable' } as const]),
    ...rows.credits.map(({ account }) => ({ ...ofMarket, functionName: 'creditOf', args: [account] }) as const),
    ...rows.requesters.map(({ account }) => ({ ...ofMarket, functionName: 'nonceOf', args: [account] }) as const),
    ...rows.vaults.map(({ vault }) => ({ address: vault, abi: sponsoredVaultAbi, functionName: 'totals' }) as const),
  ]
}

/**
 * Returns the contracts' values in the form of `SumViews`, without the balances.
 * @param answers the answers to `listSumCalls`; null for a call without an answer
 */
export function toSumViews(
  { bonusHook }: Deployment,
  rows: SumRows,
  answers: readonly unknown[],
): Omit<SumViews, 'balances'> {
  const remainingAnswers = [...answers]
  const take = (count: number) => remainingAnswers.splice(0, count)
  const [totalEscrow = null, fees = null] = take(2)
  const [totalClaimable = null] = take(bonusHook === undefined ? 0 : 1)
  return {
    totalEscrow: totalEscrow as bigint | null,
    fees: fees as bigint | null,
    totalClaimable: totalClaimable as bigint | null,
    credits: take(rows.credits.length) as (bigint | null)[],
    nonces: take(rows.requesters.length) as (bigint | null)[],
    totals: take(rows.vaults.length) as (VaultTotals | null)[],
  }
}

/**
 * Compares the sums of the indexer's rows with the contracts' values. Sums whose values were not read are listed in
 * `unread`.
 *
 * A contract's token balance is compared with two amounts. If the balance differs from the ledger's amount, a
 * difference is reported, because the ledger counts every receipt. If the balance is lower than the amount that the
 * contract owes, a difference is reported too. A balance above the amount owed is correct. A vault's balance is
 * compared only with the amount owed.
 */
export function compareSums(rows: SumRows, views: SumViews): ComparedSums {
  const differences: Difference[] = []
  const unreadFigures: Compared['unread'] = []
  /**
   * Records the result for a sum. `parts` are the differences that were computed for the sum. If a part is null, a
   * value was not read, and the sum is recorded as unread. If all parts are known and one part is not zero, the sum is
   * recorded as different. `of` names the task, account, vault or contract that the sum is about. `of` is null for a
   * sum over everything.
   * @returns the known part with the largest absolute value
   */
  const compare = (sum: BookSum, of: string | null, parts: readonly (bigint | null)[]): bigint => {
    if (parts.includes(null)) unreadFigures.push({ sum, of })
    const largest = largestOf(parts.filter((part) => part !== null))
    if (largest !== 0n && !parts.includes(null)) differences.push({ sum, of, amount: String(largest) })
    return largest
  }
  const { tasks, bonuses, vaults } = rows
  const marketLiabilities = tasks.escrow + tasks.stake + tasks.credit
  const assets: AssetBooks[] = []
  for (const [index, { name, asset, address, counted }] of rows.ledger.entries()) {
    const balance = views.balances.ledger[index] ?? null
    const isOwnAsset = rows.ledger.findIndex((one) => one.address === address) === index
    const contractViews = isOwnAsset ? viewsOf(name, views) : []
    const sum = counted === null ? null : (...classes: string[]) => sumOf(counted.accounts, classes)
    const parts = {
      market: () => [
        compare('market_balance', null, [shortfall(balance, marketLiabilities)]),
        compare('market_total_escrow', null, [
          minus(views.totalEscrow, marketLiabilities),
          minus(views.totalEscrow, tasks.totalEscrow),
        ]),
      ],
      forwarder: () => {
        const fees = sum?.('service_fees') ?? null
        return [
          compare('forwarder_balance', null, [shortfall(balance, fees)]),
          compare('forwarder_fees', null, [minus(views.fees, fees)]),
        ]
      },
      bonus_hook: () =>
        bonuses === null
          ? []
          : [
              compare('bonus_balance', null, [shortfall(balance, bonuses.claimable + bonuses.reserve)]),
              compare('bonus_total_claimable', null, [
                minus(views.totalClaimable, bonuses.claimable),
                minus(views.totalClaimable, bonuses.totalClaimable),
              ]),
            ],
    }
    add(assets, asset, {
      ...toBooks(name, address, balance),
      inflow: toText(counted?.inflow ?? null),
      outflow: toText(counted?.outflow ?? null),
      accounts: toAccounts(counted?.accounts ?? []),
      views: toViews(contractViews.map(({ view, amount }) => [view, amount])),
      difference: largestText([
        ...(isOwnAsset ? parts[name]() : []),
        compare('ledger', isOwnAsset ? address : `${address} ${asset}`, [
          minus(balance, sum?.() ?? null),
          ...contractViews.map(({ amount, classes }) => minus(amount, sum?.(...classes) ?? null)),
        ]),
      ]),
    })
  }
  for (const [index, row] of vaults.entries()) {
    const totals = views.totals[index] ?? null
    const balance = views.balances.vaults[index] ?? null
    const vaultTotal = vaultAccounts.reduce((sum, [name]) => sum + row[name], 0n)
    add(assets, row.token, {
      ...toBooks('vault', row.vault, balance),
      inflow: String(row.inflow),
      outflow: String(row.outflow),
      accounts: toAccounts(vaultAccounts.map(([name, account]) => [account, row[name]])),
      views: toViews(totalNames.map((name) => [name, totals?.[name] ?? null])),
      difference: largestText([
        compare('vault_balance', row.vaultId, [shortfall(balance, vaultTotal)]),
        compare(
          'vault_totals',
          row.vaultId,
          totals === null ? [null] : totalNames.map((name) => totals[name] - row[name]),
        ),
      ]),
    })
  }
  for (const [index, { account, figure }] of rows.credits.entries()) {
    compare('credits', account, [minus(views.credits[index] ?? null, figure)])
  }
  for (const [index, { account, figure }] of rows.requesters.entries()) {
    compare('nonces', account, [minus(views.nonces[index] ?? null, figure)])
  }
  compare('task_count', null, [tasks.createdTasks - tasks.tasks, tasks.taskCount - tasks.tasks])
  return { assets, differences, unread: unreadFigures }
}

function add(assets: AssetBooks[], asset: Address, books: ContractBooks): void {
  const assetSums = assets.find((one) => one.asset === asset)
  if (assetSums === undefined) assets.push({ asset, contracts: [books] })
  else assetSums.contracts.push(books)
}

/**
 * Returns the amounts that a contract reports. With each amount, returns classes of ledger accounts: the sum of the
 * balances in these classes must equal the amount.
 */
function viewsOf(name: LedgerSums['name'], { totalEscrow, fees, totalClaimable }: SumViews) {
  switch (name) {
    case 'market':
      return [{ view: 'totalEscrow', amount: totalEscrow, classes: ['escrow', 'stake', 'credit'] }]
    case 'forwarder':
      return [{ view: 'fees', amount: fees, classes: ['service_fees'] }]
    case 'bonus_hook':
      return [{ view: 'totalClaimable', amount: totalClaimable, classes: ['bonus'] }]
  }
}

/** Returns the sum of the accounts whose class is in `classes`, or of all accounts if `classes` is empty. */
function sumOf(accounts: LedgerSums['accounts'], classes: readonly string[]): bigint {
  return accounts
    .filter(([accountClass]) => classes.length === 0 || classes.includes(accountClass))
    .reduce((sum, [, amount]) => sum + amount, 0n)
}

const toBooks = (name: ContractBooks['name'], address: Address, balance: bigint | null) => ({
  name,
  address,
  balance: toText(balance),
})
const toText = (amount: bigint | null) => (amount === null ? null : String(amount))
const toAccounts = (accounts: (readonly [string, bigint | null])[]) =>
  accounts.map(([account, amount]) => ({ account, amount: toText(amount) }))
const toViews = (views: (readonly [string, bigint | null])[]) =>
  views.map(([name, amount]) => ({ name, amount: toText(amount) }))

function minus(a: bigint | null, b: bigint | null): bigint | null {
  return a === null || b === null ? null : a - b
}

/** Returns `balance - debt` if it is negative, otherwise zero. Returns null if the balance or `debt` is null. */
function shortfall(balance: bigint | null, debt: bigint | null): bigint | null {
  const surplus = minus(balance, debt)
  return surplus === null || surplus < 0n ? surplus : 0n
}

function largestOf(amounts: readonly bigint[]): bigint {
  const size = (amount: bigint) => (amount < 0n ? -amount : amount)
  return amounts.reduce((largest, amount) => (size(amount) > size(largest) ? amount : largest), 0n)
}

const largestText = (amounts: readonly bigint[]) => String(largestOf(amounts))
