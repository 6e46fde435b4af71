import { type Address, type Hex, parseAbi, parseEventLogs } from 'viem'
import { expect } from 'vitest'
import { bonusHookAbi } from '../../../abis/bonus-hook.ts'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { sponsoredVaultAbi } from '../../../abis/sponsored-vault.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { lower, type Subject } from './expectation.ts'
import { createLogReader } from './kept-logs.ts'
import type { MarketChain } from './market-chain.ts'
import { readCreatedVaults } from './vault-chain.ts'

interface LedgerRow {
  id: string
  tx: Hex
  asset: string
  kind: string
  from: string
  to: string
  amount: bigint
  units: string | null
}

/** A contract that holds money, and the tokens whose arrivals at it are indexed. */
interface Holder {
  address: string
  tokens: string[]
}

const tokenAbi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'function balanceOf(address) view returns (uint256)',
])

/**
 * The ledger against the chain alone: every account of every transaction, net, against the Transfer logs of the tokens,
 * and the sums of all internal accounts against the contracts' views and the tokens' balances.
 */
export async function expectLedgerEqual({ sql, chain }: Pick<Subject, 'sql' | 'chain'>): Promise<void> {
  const rows = await readLedger(sql)
  expect(rows.filter(({ amount }) => amount <= 0n)).toEqual([])
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  const holders = await listHolders(chain)
  expect(await differentNets(chain, rows, holders)).toEqual([])
  const sums = sumAccounts(rows)
  expect(await differentViews({ sql, chain }, sums)).toEqual([])
  expect(await differentBalances(chain, sums, holders)).toEqual([])
  expect(await differentVaultFlows({ sql, chain }, rows)).toEqual([])
}

async function readLedger(sql: Subject['sql']): Promise<LedgerRow[]> {
  const rows = await sql`
    SELECT id, tx_hash, asset, kind, from_account, to_account, amount::text, amount_units::text FROM market.ledger`
  return rows.map((row) => ({
    id: row.id,
    tx: row.tx_hash,
    asset: row.asset,
    kind: row.kind,
    from: row.from_account,
    to: row.to_account,
    amount: BigInt(row.amount),
    units: row.amount_units,
  }))
}

async function listHolders(chain: MarketChain): Promise<Holder[]> {
  const { market, forwarder, usdc, bonusHook, rewardToken, sponsoredVaultFactory } = chain.deployment
  const tokens = [usdc, ...(rewardToken === undefined ? [] : [rewardToken])].map(lower)
  const contracts = [market, forwarder, ...(bonusHook === undefined ? [] : [bonusHook])]
  const vaults = sponsoredVaultFactory === undefined ? [] : await readCreatedVaults(chain)
  return [
    ...contracts.map((address) => ({ address: lower(address), tokens })),
    ...vaults.map(({ vault, token }) => ({ address: lower(vault), tokens: [lower(token)] })),
  ]
}

const readTransfers = createLogReader(async ({ client, deployment }, range) => {
  const { usdc, rewardToken } = deployment
  const address = [usdc, ...(rewardToken === undefined ? [] : [rewardToken])]
  return parseEventLogs({ abi: tokenAbi, logs: await client.getLogs({ address, ...range }) })
})

/** Differences of `<asset> <transaction> <address>`. A transfer of others to a vault is no row until its exit returns it. */
async function differentNets(chain: MarketChain, rows: LedgerRow[], holders: Holder[]): Promise<string[]> {
  const nets = new Map<string, bigint>()
  const add = (asset: string, tx: string, account: string, amount: bigint) => {
    const key = `${asset} ${tx} ${account}`
    nets.set(key, (nets.get(key) ?? 0n) + amount)
  }
  const isVault = (address: string) => holders.slice(3).some((holder) => holder.address === address)
  const funded = new Set(rows.filter(({ kind }) => kind === 'vault_funded').map(({ asset, tx }) => `${asset} ${tx}`))
  const addresses = new Set(holders.map(({ address }) => address))
  for (const { address, args, transactionHash } of await readTransfers(chain)) {
    const [asset, from, to] = [lower(address), lower(args.from), lower(args.to)]
    const isGift = isVault(to) && !addresses.has(from) && !funded.has(`${asset} ${transactionHash}`)
    if (isGift || !(addresses.has(from) || addresses.has(to))) continue
    add(asset, transactionHash, from, -args.value)
    add(asset, transactionHash, to, args.value)
  }
  for (const { asset, tx, from, to, amount } of rows) {
    add(asset, tx, holderOf(from, chain), amount)
    add(asset, tx, holderOf(to, chain), -amount)
  }
  return [...nets].filter(([, net]) => net !== 0n).map(([key, net]) => `${key}: ${net} more on chain`)
}

/** The address that an account's money lies at. */
function holderOf(account: string, { deployment }: MarketChain): string {
  const { market, forwarder, bonusHook } = deployment
  const [accountClass, owner] = account.split(':')
  switch (accountClass) {
    case 'escrow':
    case 'stake':
    case 'credit':
      return lower(market)
    case 'service_fees':
    case 'prepaid':
      return lower(forwarder)
    case 'bonus':
    case 'bonus_reserve':
      return bonusHook === undefined ? account : lower(bonusHook)
    default:
      return owner ?? account
  }
}

/** Balances of internal accounts, by `<asset> <account>`. */
function sumAccounts(rows: LedgerRow[]): Map<string, bigint> {
  const sums = new Map<string, bigint>()
  for (const { asset, from, to, amount } of rows) {
    sums.set(`${asset} ${from}`, (sums.get(`${asset} ${from}`) ?? 0n) - amount)
    sums.set(`${asset} ${to}`, (sums.get(`${asset} ${to}`) ?? 0n) + amount)
  }
  return new Map([...sums].filter(([key]) => /[:_]/.test(key)))
}

/** The sums that the contracts tell: of all tasks, accounts and vaults. */
async function differentViews({ sql, chain }: Pick<Subject, 'sql' | 'chain'>, sums: Map<string, bigint>) {
  const { client, deployment } = chain
  const { market, forwarder, usdc, bonusHook, rewardToken, sponsoredVaultFactory } = deployment
  const expected: [string, string, bigint][] = []
  const expectSum = (asset: Address, account: string, amount: bigint) => expected.push([lower(asset), account, amount])
  const ofMarket = { address: market, abi: taskMarketAbi } as const
  const tasks = await sql<{ id: Hex }[]>`SELECT id FROM market.task`
  const views = await Promise.all(
    tasks.map(({ id }) => client.readContract({ ...ofMarket, functionName: 'getTask', args: [id] })),
  )
  for (const [index, { escrow, stake }] of views.entries()) {
    expectSum(usdc, `escrow:${tasks[index]?.id}`, escrow)
    expectSum(usdc, `stake:${tasks[index]?.id}`, stake)
  }
  expectSum(
    usdc,
    'service_fees',
    await client.readContract({ address: forwarder, abi: paymentForwarderAbi, functionName: 'fees' }),
  )
  const ownersOf = (accountClass: string) =>
    [...sums.keys()].flatMap((key) => (key.includes(` ${accountClass}:`) ? [key.split(':')[1] as Address] : []))
  for (const owner of ownersOf('credit')) {
    expectSum(
      usdc,
      `credit:${owner}`,
      await client.readContract({ ...ofMarket, functionName: 'creditOf', args: [owner] }),
    )
  }
  if (bonusHook !== undefined && rewardToken !== undefined) {
    const ofHook = { address: bonusHook, abi: bonusHookAbi } as const
    for (const owner of ownersOf('bonus')) {
      expectSum(
        rewardToken,
        `bonus:${owner}`,
        await client.readContract({ ...ofHook, functionName: 'claimableOf', args: [owner] }),
      )
    }
    expectSum(rewardToken, 'bonus_reserve', await client.readContract({ ...ofHook, functionName: 'available' }))
  }
  for (const { vault, token } of sponsoredVaultFactory === undefined ? [] : await readCreatedVaults(chain)) {
    const totals = await client.readContract({ address: vault, abi: sponsoredVaultAbi, functionName: 'totals' })
    expectSum(token, `vault:${lower(vault)}`, totals.available)
    expectSum(token, `vault_reserved:${lower(vault)}`, totals.reserved)
    expectSum(token, `vault_owed:${lower(vault)}`, totals.owed)
    expectSum(token, `vault_fees:${lower(vault)}`, totals.fees)
  }
  return expected
    .filter(([asset, account, amount]) => (sums.get(`${asset} ${account}`) ?? 0n) !== amount)
    .map(([asset, account, amount]) => `${asset} ${account}: ${sums.get(`${asset} ${account}`)} of ${amount}`)
}

/**
 * What the books say of every vault, by its totals, is what the ledger brought into its accounts and out of it; other
 * contracts of ours may send it more, past its functions.
 */
async function differentVaultFlows({ sql, chain }: Pick<Subject, 'sql' | 'chain'>, rows: LedgerRow[]) {
  const vaults = await sql`
    SELECT vault, funded_total AS inflow,
      withdrawn_total + claimed_total + collected_total + coalesce(returned, 0) AS outflow
    FROM market.sponsored_vault v LEFT JOIN market.vault_epoch e ON e.id = v.vault_id || ':0'`
  const sumOf = (isCounted: (row: LedgerRow) => boolean) =>
    rows.filter(isCounted).reduce((sum, { amount }) => sum + amount, 0n)
  return vaults
    .map(({ vault, inflow, outflow }) => {
      const isAt = (account: string) => holderOf(account, chain) === vault
      const into = sumOf(({ from, to }) => !isAt(from) && isAt(to) && !to.startsWith('unassigned:'))
      // A vault that is the fee recipient collects its fees into what it does not count.
      const out = sumOf(({ from, to }) => isAt(from) && (!isAt(to) || to.startsWith('unassigned:')))
      return { vault, shown: [inflow, outflow], ledger: [into, out] }
    })
    .filter(({ shown, ledger }) => shown.join() !== ledger.join())
}

/** What the tokens say that market, forwarder and programme hold is the sum of their accounts. */
async function differentBalances(chain: MarketChain, sums: Map<string, bigint>, holders: Holder[]): Promise<string[]> {
  const different: string[] = []
  for (const { address, tokens } of holders.slice(0, 3)) {
    for (const token of tokens) {
      const read = {
        address: token as Address,
        abi: tokenAbi,
        functionName: 'balanceOf',
        args: [address as Address],
      } as const
      const balance = await chain.client.readContract(read)
      const accounts = [...sums].filter(([key]) => {
        const [asset, account = ''] = key.split(' ')
        return asset === token && holderOf(account, chain) === address
      })
      const sum = accounts.reduce((total, [, amount]) => total + amount, 0n)
      if (sum !== balance) different.push(`${token} at ${address}: ${sum} of ${balance}`)
    }
  }
  return different
}
