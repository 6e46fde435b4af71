import { type Address, type Hex, parseAbi, parseEventLogs } from 'viem'
import { bonusHookAbi } from '../../../abis/bonus-hook.ts'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { paymentForwarderBeforeBoundAbi } from '../../../abis/payment-forwarder-before-bound.ts'
import { sponsoredVaultAbi } from '../../../abis/sponsored-vault.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { lower } from './expectation.ts'
import { createLogReader } from './kept-logs.ts'
import type { MarketChain } from './market-chain.ts'
import { readMarketLogs } from './market-logs.ts'
import { readCreatedVaults } from './vault-chain.ts'

/** The data that the ledger is compared with: the chain's own, read without code of the indexer. */
export interface LedgerChain {
  chain: MarketChain
  /** Market, forwarder, programme, then the vaults; and the tokens whose arrivals at them are indexed. */
  holders: { address: string; tokens: string[] }[]
  vaults: Set<string>
  events: readonly ChainEvent[]
  /** Unix seconds, by the number of the block. */
  times: Map<bigint, bigint>
  decimals: Map<string, number>
  /** Sums of accounts, as the contracts state them, and those of prepaid money, by its logs. */
  views: { asset: string; account: string; amount: bigint }[]
  /** Balances of market, forwarder and programme, as the tokens state them. */
  balances: { asset: string; address: string; amount: bigint }[]
}

/** A log of any contract whose event is one of ours or of a token. */
export type ChainEvent = Awaited<ReturnType<typeof parseEvents>>[number]

const tokenAbi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'function balanceOf(address) view returns (uint256)',
  'function decimals() view returns (uint8)',
])
const ofMarket = { abi: taskMarketAbi } as const
const eventAbi = [
  ...taskMarketAbi,
  ...paymentForwarderAbi,
  ...paymentForwarderBeforeBoundAbi,
  ...bonusHookAbi,
  ...sponsoredVaultAbi,
  ...tokenAbi,
].filter((item) => item.type === 'event')

/** Reads the chain's side of the ledger. */
export async function readLedgerChain(chain: MarketChain): Promise<LedgerChain> {
  const { market, forwarder, usdc, bonusHook, rewardToken, sponsoredVaultFactory } = chain.deployment
  const tokens = [usdc, ...(rewardToken === undefined ? [] : [rewardToken])]
  const contracts = [market, forwarder, ...(bonusHook === undefined ? [] : [bonusHook])]
  const vaults = sponsoredVaultFactory === undefined ? [] : await readCreatedVaults(chain)
  const holders = [
    ...contracts.map((address) => ({ address: lower(address), tokens: tokens.map(lower) })),
    ...vaults.map(({ vault, token }) => ({ address: lower(vault), tokens: [lower(token)] })),
  ]
  const events = await readEvents(chain)
  const decimals = tokens.map(async (address) => {
    const count = await chain.client.readContract({ address, abi: tokenAbi, functionName: 'decimals' })
    return [lower(address), count] as const
  })
  return {
    chain,
    holders,
    vaults: new Set(vaults.map(({ vault }) => lower(vault))),
    events,
    times: new Map(await readTimes(chain)),
    decimals: new Map(await Promise.all(decimals)),
    views: [...(await readViews(chain, vaults)), ...sumPrepaid(chain, holders, events)],
    balances: await Promise.all(
      contracts.flatMap((address) => tokens.map((asset) => readBalance(chain, { asset, address }))),
    ),
  }
}

function parseEvents({ client }: MarketChain, range: { fromBlock: bigint; toBlock: bigint }) {
  return client.getLogs(range).then((logs) => parseEventLogs({ abi: eventAbi, logs }))
}

const readEvents = createLogReader(parseEvents)

const readTimes = createLogReader(async ({ client }, { fromBlock, toBlock }) => {
  const numbers = Array.from({ length: Number(toBlock - fromBlock) + 1 }, (_, index) => fromBlock + BigInt(index))
  const blocks = await Promise.all(numbers.map((blockNumber) => client.getBlock({ blockNumber })))
  return blocks.map(({ number, timestamp }) => [number, timestamp] as const)
})

async function readBalance({ client }: MarketChain, { asset, address }: { asset: Address; address: Address }) {
  const amount = await client.readContract({
    address: asset,
    abi: tokenAbi,
    functionName: 'balanceOf',
    args: [address],
  })
  return { asset: lower(asset), address: lower(address), amount }
}

/** The sums that the contracts state: of all tasks, accounts and vaults. */
async function readViews(chain: MarketChain, vaults: Awaited<ReturnType<typeof readCreatedVaults>>) {
  const { client, deployment } = chain
  const { market, forwarder, usdc, bonusHook, rewardToken } = deployment
  const logs = await readMarketLogs(chain)
  const views: Promise<[asset: Address, account: string, amount: bigint][]>[] = [
    ...logs.tasks.map(async ({ id }): Promise<[Address, string, bigint][]> => {
      const task = await client.readContract({ ...ofMarket, address: market, functionName: 'getTask', args: [id] })
      return [
        [usdc, `escrow:${id}`, task.escrow],
        [usdc, `stake:${id}`, task.stake],
      ]
    }),
    ...logs.credited.map(async (account): Promise<[Address, string, bigint][]> => {
      const of = { ...ofMarket, address: market } as const
      const amount = await client.readContract({ ...of, functionName: 'creditOf', args: [account] })
      return [[usdc, `credit:${lower(account)}`, amount]]
    }),
    client
      .readContract({ address: forwarder, abi: paymentForwarderAbi, functionName: 'fees' })
      .then((amount) => [[usdc, 'service_fees', amount]]),
    ...vaults.map(async ({ vault, token }): Promise<[Address, string, bigint][]> => {
      const totals = await client.readContract({ address: vault, abi: sponsoredVaultAbi, functionName: 'totals' })
      return [
        [token, `vault:${lower(vault)}`, totals.available],
        [token, `vault_reserved:${lower(vault)}`, totals.reserved],
        [token, `vault_owed:${lower(vault)}`, totals.owed],
        [token, `vault_fees:${lower(vault)}`, totals.fees],
      ]
    }),
  ]
  if (bonusHook !== undefined && rewardToken !== undefined) {
    const ofHook = { address: bonusHook, abi: bonusHookAbi } as const
    const credited = (await readEvents(chain)).flatMap((log) =>
      log.eventName === 'BonusCredited' ? [log.args.account] : [],
    )
    views.push(
      client
        .readContract({ ...ofHook, functionName: 'available' })
        .then((amount) => [[rewardToken, 'bonus_reserve', amount]]),
      ...[...new Set(credited)].map(async (account): Promise<[Address, string, bigint][]> => {
        const amount = await client.readContract({ ...ofHook, functionName: 'claimableOf', args: [account] })
        return [[rewardToken, `bonus:${lower(account)}`, amount]]
      }),
    )
  }
  return (await Promise.all(views)).flat().map(([asset, account, amount]) => ({ asset: lower(asset), account, amount }))
}

/** Prepaid money of each payer: all USDC that it sent the forwarder, less what its relays cost and what was given back. */
function sumPrepaid(
  { deployment }: MarketChain,
  holders: LedgerChain['holders'],
  events: readonly ChainEvent[],
): LedgerChain['views'] {
  const ours = new Set(holders.map(({ address }) => address))
  const [asset, forwarder] = [lower(deployment.usdc), lower(deployment.forwarder)]
  const sums = new Map<string, bigint>()
  const add = (payer: Address, amount: bigint) => sums.set(lower(payer), (sums.get(lower(payer)) ?? 0n) + amount)
  for (const event of events) {
    if (event.eventName === 'IntentRelayed') add(event.args.actor, -event.args.amount)
    if (event.eventName === 'PrepaidRefunded') add(event.args.payer, -event.args.amount)
    if (event.eventName !== 'Transfer' || lower(event.address) !== asset || ours.has(lower(event.args.from))) continue
    if (lower(event.args.to) === forwarder) add(event.args.from, event.args.value)
  }
  return [...sums].map(([payer, amount]) => ({ asset, account: `prepaid:${payer}`, amount }))
}

/** The address that an account's money lies at. */
export function holderOf(account: string, { deployment }: MarketChain): string {
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

/** The place of a log, as the rows have it. */
export function placeOf({ tx, logIndex }: { tx: Hex; logIndex: number }): string {
  return `${tx} ${logIndex}`
}
