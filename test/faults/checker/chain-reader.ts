import {
  type Abi,
  type Address,
  createPublicClient,
  type Hex,
  http,
  isAddress,
  parseAbi,
  parseEventLogs,
  zeroAddress,
} from 'viem'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { usdcAbi } from '../../../abis/usdc.ts'
import type { ChainEvent, ChainEvidence, ChainTransaction } from './evidence.ts'

export interface ChainReaderOptions {
  /** The node itself, past every proxy. */
  rpcUrl: string
  deployment: { market: Address; forwarder: Address; usdc: Address; multicall3: Address }
  /** Blocks up to this one are not looked at. */
  after: bigint
  relayers: readonly Address[]
}

/** What is asked of accounts besides what the blocks say. */
export interface Asked {
  /** Whose balances are told. */
  wallets: readonly Address[]
  /** Which of these are contracts; what is no address is none. */
  accounts: readonly string[]
}

/** Reads the chain as it is, again and again: what stands in a block that is still there is read once. */
export interface ChainReader {
  read(asked: Asked): Promise<ChainEvidence>
}

interface SeenBlock {
  number: bigint
  hash: Hex
  events: ChainEvent[]
  transactions: ChainTransaction[]
}

/** Blocks read at the same time. */
const AT_ONCE = 16
const abis: Record<ChainEvent['contract'], Abi> = {
  market: taskMarketAbi,
  forwarder: paymentForwarderAbi,
  usdc: usdcAbi,
}

export function createChainReader({ rpcUrl, deployment, after, relayers }: ChainReaderOptions): ChainReader {
  const client = createPublicClient({ transport: http(rpcUrl), cacheTime: 0 })
  const seen: SeenBlock[] = []
  const contracts = new Map<string, ChainEvent['contract']>(
    (['market', 'forwarder', 'usdc'] as const).map((name) => [deployment[name].toLowerCase(), name]),
  )

  async function readBlock(number: bigint): Promise<SeenBlock> {
    const [block, receipts] = await Promise.all([
      client.getBlock({ blockNumber: number, includeTransactions: true }),
      client.request({ method: 'eth_getBlockReceipts' as never, params: [`0x${number.toString(16)}`] as never }),
    ])
    const outcomes = receipts as unknown as RawReceipt[]
    const priceOf = ({ gasUsed, effectiveGasPrice }: RawReceipt) => BigInt(gasUsed) * BigInt(effectiveGasPrice)
    return {
      number,
      hash: block.hash,
      transactions: block.transactions.map(({ hash, from, nonce }) => {
        const receipt = outcomes.find(({ transactionHash }) => transactionHash === hash)
        return {
          hash,
          from: from.toLowerCase() as Address,
          nonce: BigInt(nonce),
          block: number,
          succeeded: receipt?.status === '0x1',
          gasWei: receipt === undefined ? 0n : priceOf(receipt),
        }
      }),
      events: outcomes.flatMap(({ logs }) => logs).flatMap((log) => decode(log, number)),
    }
  }

  function decode(log: RawLog, block: bigint): ChainEvent[] {
    const contract = contracts.get(log.address.toLowerCase())
    if (contract === undefined) return []
    return parseEventLogs({ abi: abis[contract], logs: [log as never] }).map((parsed) => {
      const { eventName, args } = parsed as unknown as { eventName: string; args: Record<string, unknown> }
      return { contract, name: eventName, args: lowerCased(args), block, txHash: log.transactionHash }
    })
  }

  /** A block that another took the place of goes, and all that follow it. */
  async function forgetVanished(head: bigint): Promise<void> {
    for (let last = seen.at(-1); last !== undefined; last = seen.at(-1)) {
      const isThere = last.number <= head && (await client.getBlock({ blockNumber: last.number })).hash === last.hash
      if (isThere) return
      seen.pop()
    }
  }

  return {
    read: async ({ wallets, accounts }) => {
      const head = await client.getBlockNumber()
      await forgetVanished(head)
      for (let from = (seen.at(-1)?.number ?? after) + 1n; from <= head; from += BigInt(AT_ONCE)) {
        const count = Math.min(AT_ONCE, Number(head - from) + 1)
        seen.push(...(await Promise.all(Array.from({ length: count }, (_, index) => readBlock(from + BigInt(index))))))
      }
      const { market, forwarder, usdc, multicall3 } = deployment
      const balances = await readBalances([market, forwarder, ...wallets])
      const views = parseAbi([
        'function totalEscrow() view returns (uint256)',
        'function fees() view returns (uint256)',
      ])
      const [totalEscrow, fees] = await Promise.all([
        client.readContract({ address: market, abi: views, functionName: 'totalEscrow' }),
        client.readContract({ address: forwarder, abi: views, functionName: 'fees' }),
      ])
      return {
        events: seen.flatMap(({ events }) => events),
        transactions: new Map(seen.flatMap(({ transactions }) => transactions.map((one) => [one.hash, one]))),
        balances: {
          market: balances[0] ?? 0n,
          forwarder: balances[1] ?? 0n,
          wallets: new Map(wallets.map((wallet, index) => [wallet, balances[index + 2] ?? 0n])),
        },
        views: { totalEscrow, fees },
        nonceSequences: await Promise.all(relayers.map(readNonceSequence)),
        contracts: new Set(await Promise.all(accounts.filter(isAddressText).map(findContract))),
      }

      async function readBalances(accounts: readonly Address[]): Promise<bigint[]> {
        const contractCalls = accounts.map((account) => ({
          address: usdc,
          abi: usdcAbi,
          functionName: 'balanceOf' as const,
          args: [account] as const,
        }))
        return (await client.multicall({
          contracts: contractCalls,
          multicallAddress: multicall3,
          allowFailure: false,
          batchSize: 0,
        })) as bigint[]
      }
    },
  }

  /** The account, or the zero address when it has no code. */
  async function findContract(address: Address): Promise<Address> {
    return (await client.getCode({ address })) === undefined ? zeroAddress : address
  }

  async function readNonceSequence(relayer: Address) {
    const count = (blockTag: 'latest' | 'pending') => client.getTransactionCount({ address: relayer, blockTag })
    const [latest, pending] = await Promise.all([count('latest'), count('pending')])
    return { relayer, latest: BigInt(latest), pending: BigInt(pending) }
  }
}

interface RawReceipt {
  transactionHash: Hex
  status: Hex
  gasUsed: Hex
  effectiveGasPrice: Hex
  logs: RawLog[]
}

interface RawLog {
  address: Hex
  topics: Hex[]
  data: Hex
  transactionHash: Hex
}

function isAddressText(text: string): text is Address {
  return isAddress(text)
}

/** Addresses compare as text only in one case. */
function lowerCased(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, typeof value === 'string' ? value.toLowerCase() : value]),
  )
}
