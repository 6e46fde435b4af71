import {
  type Address,
  type ContractFunctionReturnType,
  createPublicClient,
  type Hex,
  type ParseEventLogsReturnType,
  parseEventLogs,
  toHex,
} from 'viem'
import { paymentForwarderAbi } from '../../abis/payment-forwarder.ts'
import { taskMarketAbi } from '../../abis/task-market.ts'
import { usdcAbi } from '../../abis/usdc.ts'
import type { Deployment } from '../../scripts/contracts/deploy.ts'
import { rpcTransport } from '../../scripts/contracts/rpc-transport.ts'
import { untilMined } from '../../scripts/contracts/until-mined.ts'

/** Patience with a busy machine: a hundred blocks at once take it seconds. */
const REQUEST_TIMEOUT_MS = 60_000
/** One ether. */
const gasBalance = '0xde0b6b3a7640000'
/** Gas price above that of every relayer, wei. */
const FIRST_IN_BLOCK = '0x174876e800'

type MarketLogs = ParseEventLogsReturnType<typeof taskMarketAbi>
type ForwarderLogs = ParseEventLogsReturnType<typeof paymentForwarderAbi>

/** The chain, read without the service. */
export interface ChainView {
  deployment: Deployment
  /** USDC base units. */
  balanceOf(account: Address): Promise<bigint>
  /** Notes the balances of accounts; `changes` returns the differences since, base units. */
  watch<Name extends string>(accounts: Record<Name, Address>): Promise<{ changes(): Promise<Record<Name, bigint>> }>
  /**
   * Gives an account USDC, without a block: each costs the indexer and the service more than the transaction. Adds to the
   * balance that it reads, so for one account one call at a time.
   */
  fund(account: Address, amount: bigint): Promise<void>
  task(taskId: Hex): Promise<ContractFunctionReturnType<typeof taskMarketAbi, 'view', 'getTask'>>
  isCommitted(taskId: Hex, worker: Address, deliverable: Hex): Promise<boolean>
  /** Events of the market and of the forwarder in a transaction. */
  marketLogs(txHash: Hex): Promise<MarketLogs>
  forwarderLogs(txHash: Hex): Promise<ForwarderLogs>
  feeRecipient(): Promise<Address>
  /** Unix seconds. */
  headTime(): Promise<bigint>
  /** Mines a block whose time is at least this many seconds after the head's. */
  passTime(seconds: number): Promise<void>
  /** A transaction sent without the service; its hash, when it is mined. @throws when it reverts */
  sendAs(from: Address, call: { to: Address; data: Hex }): Promise<Hex>
  /** Sends a transaction without the service that comes before all others of its block, while the node does not mine. */
  sendFirst(from: Address, call: { to: Address; data: Hex }): Promise<void>
  /** JSON-RPC of the node, for methods of anvil. */
  request(method: string, params?: unknown[]): Promise<unknown>
}

export function openChainView(rpcUrl: string, deployment: Deployment): ChainView {
  const client = createPublicClient({
    transport: rpcTransport(rpcUrl, { timeout: REQUEST_TIMEOUT_MS }),
    cacheTime: 0,
    pollingInterval: 20,
  })
  const { usdc, market, forwarder } = deployment
  const request = (method: string, params: unknown[] = []) =>
    client.request({ method, params } as Parameters<typeof client.request>[0]) as Promise<unknown>

  const balanceOf = (account: Address) =>
    client.readContract({ address: usdc, abi: usdcAbi, functionName: 'balanceOf', args: [account] })
  const balancesOf = async <Name extends string>(accounts: Record<Name, Address>) => {
    const names = Object.keys(accounts) as Name[]
    const balances = await Promise.all(names.map(async (name) => [name, await balanceOf(accounts[name])] as const))
    return new Map(balances)
  }
  const headTime = async () => (await client.getBlock()).timestamp
  const logsOf = async (txHash: Hex) => (await client.getTransactionReceipt({ hash: txHash })).logs

  return {
    deployment,
    balanceOf,
    headTime,
    request,
    watch: async <Name extends string>(accounts: Record<Name, Address>) => {
      const before = await balancesOf(accounts)
      return {
        changes: async () => {
          const after = await balancesOf(accounts)
          const changes = [...after].map(([name, balance]) => [name, balance - (before.get(name) ?? 0n)])
          return Object.fromEntries(changes) as Record<Name, bigint>
        },
      }
    },
    fund: async (account, amount) => {
      const balance = toHex((await balanceOf(account)) + amount)
      await request('anvil_dealERC20', [account, usdc, balance])
    },
    task: (taskId) =>
      client.readContract({ address: market, abi: taskMarketAbi, functionName: 'getTask', args: [taskId] }),
    isCommitted: async (taskId, worker, deliverable) => {
      const args = [taskId, worker, deliverable] as const
      const [exists] = await client.readContract({
        address: market,
        abi: taskMarketAbi,
        functionName: 'submissionIndexOf',
        args,
      })
      return exists
    },
    marketLogs: async (txHash) =>
      parseEventLogs({ abi: taskMarketAbi, logs: (await logsOf(txHash)).filter(isFrom(market)) }),
    forwarderLogs: async (txHash) =>
      parseEventLogs({ abi: paymentForwarderAbi, logs: (await logsOf(txHash)).filter(isFrom(forwarder)) }),
    feeRecipient: () => client.readContract({ address: market, abi: taskMarketAbi, functionName: 'feeRecipient' }),
    sendAs: async (from, { to, data }) => {
      await request('anvil_setBalance', [from, gasBalance])
      await request('anvil_impersonateAccount', [from])
      const hash = (await request('eth_sendTransaction', [{ from, to, data }])) as Hex
      const { status } = await untilMined(request, hash)
      if (status !== '0x1') throw new Error(`the call ${data.slice(0, 10)} reverted in ${hash}`)
      return hash
    },
    sendFirst: async (from, call) => {
      await request('anvil_setBalance', [from, gasBalance])
      await request('anvil_impersonateAccount', [from])
      await request('eth_sendTransaction', [{ from, ...call, gas: '0x7a120', gasPrice: FIRST_IN_BLOCK }])
    },
    passTime: async (seconds) => {
      await request('evm_mine', [Number(await headTime()) + seconds])
    },
  }
}

function isFrom(contract: Address): (log: { address: Address }) => boolean {
  return ({ address }) => address.toLowerCase() === contract.toLowerCase()
}
