import type { Address } from 'viem'
import type { Deployment } from '../chain/deployment.ts'
import type { Flow } from '../read-model/books.queries.ts'

type Contract = 'market' | 'forwarder' | 'bonus_hook'

/** The money of one asset at one contract, according to the ledger. */
export interface LedgerSums {
  name: Contract
  asset: Address
  address: Address
  inflow: bigint
  outflow: bigint
  /** The balance of each class of accounts, in the order of `accountClasses`. */
  accounts: [string, bigint][]
}

/**
 * The contract that holds the money of each class of accounts. The class `unassigned` is missing, because its money can
 * be at any contract. For an `unassigned` account, the flow names the contract in its field `fromContract` or
 * `toContract`.
 */
const contractOfClass: Record<string, Contract> = {
  escrow: 'market',
  stake: 'market',
  credit: 'market',
  service_fees: 'forwarder',
  prepaid: 'forwarder',
  bonus: 'bonus_hook',
  bonus_reserve: 'bonus_hook',
}
const accountClasses = [...Object.keys(contractOfClass), 'unassigned']

/**
 * Returns the ledger's sums at the market, the forwarder and the bonus programme, one for each contract and asset. Each
 * contract has a sum for its own asset (USDC, or the reward token of the bonus programme). If a contract received or
 * sent the asset of another contract, the contract has a sum for that asset too. A movement between two accounts of one
 * contract is neither inflow nor outflow.
 */
export function sumLedger(deployment: Deployment, flows: readonly Flow[]): LedgerSums[] {
  const { market, forwarder, usdc, bonusHook, rewardToken } = deployment
  const hasBonus = bonusHook !== undefined && rewardToken !== undefined
  const contracts = [
    { name: 'market' as const, address: market, asset: usdc },
    { name: 'forwarder' as const, address: forwarder, asset: usdc },
    ...(hasBonus ? [{ name: 'bonus_hook' as const, address: bonusHook, asset: rewardToken }] : []),
  ]
  const others = contracts
    .flatMap(({ name, address, asset: ownAsset }) =>
      [usdc, ...(hasBonus ? [rewardToken] : [])].map((asset) => ({ name, address, asset, isOwn: asset === ownAsset })),
    )
    .filter(({ isOwn, asset, address }) => !isOwn && flows.some((flow) => isOfContract(flow, { asset, address })))
  return [
    ...contracts.map((contract) => sumAt(flows, { ...contract, isOwn: true })),
    ...others.map((contract) => sumAt(flows, contract)),
  ]
}

function isOfContract(flow: Flow, { asset, address }: { asset: Address; address: Address }): boolean {
  return flow.asset === asset && (flow.fromContract === address || flow.toContract === address)
}

function sumAt(
  flows: readonly Flow[],
  { name, address, asset, isOwn }: Pick<LedgerSums, 'name' | 'address' | 'asset'> & { isOwn: boolean },
): LedgerSums {
  const isHere = (accountClass: string, contract: Address | null) =>
    contractOfClass[accountClass] === name || (accountClass === 'unassigned' && contract === address)
  const balances = new Map<string, bigint>()
  const add = (accountClass: string, amount: bigint) =>
    balances.set(accountClass, (balances.get(accountClass) ?? 0n) + amount)
  let [inflow, outflow] = [0n, 0n]
  for (const flow of flows.filter((one) => one.asset === asset)) {
    const amount = BigInt(flow.amount)
    const [leaves, enters] = [isHere(flow.from, flow.fromContract), isHere(flow.to, flow.toContract)]
    if (leaves) add(flow.from, -amount)
    if (enters) add(flow.to, amount)
    if (enters && !leaves) inflow += amount
    if (leaves && !enters) outflow += amount
  }
  const accounts = accountClasses
    .filter((accountClass) => balances.has(accountClass) || (isOwn && contractOfClass[accountClass] === name))
    .map((accountClass): [string, bigint] => [accountClass, balances.get(accountClass) ?? 0n])
  return { name, asset, address, inflow, outflow, accounts }
}
