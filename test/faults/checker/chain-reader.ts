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
import { bonusHookAbi } from '../../../abis/bonus-hook.ts'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { sponsoredVaultAbi } from '../../../abis/sponsored-vault.ts'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { usdcAbi } from '../../../abis/usdc.ts'
import type { ChainEvent, ChainEvidence, ChainTransaction } from './evidence.ts'

export interface ChainReaderOptions {
  /** Of the node itself, without a proxy. */
  rpcUrl: string
  deployment: { market: Address; forwarder: Address; usdc: Address; multicall3: Address; bonusHook?: Address }
  /** Blocks up to this one are not read. */
  after: bigint
  relayers: readonly Address[]
}

/** Accounts to read besides the blocks. */
export interface AccountQuery {
  /** Accounts whose balances are read. */
  wallets: readonly Address[]
  /** Names to find contracts among; a name that is no address is skipped. */
  accounts: readonly string[]
}

/** Reads the canonical chain repeatedly; a block that is still canonical is read once. */
export interface ChainReader {
  read(query: AccountQuery): Promise<ChainEvidence>
}

interface ReadBlock {
  number: bigint
  hash: Hex
  events: ChainEvent[]
  transactions: ChainTransaction[]
}

/** Blocks read in parallel. */
const CONCURRENCY = 16
const abis: Record<Exclude<ChainEvent['contract'], 'vault'>, Abi> = {
  market: taskMarketAbi,
  forwarder: paymentForwarderAbi,
  usdc: usdcAbi,
  bonusHook: bonusHookAbi,
}

export function createChainReader({ rpcUrl, deployment, after, relayers }: ChainReaderOptions): ChainReader {
  const client = createPublicClient({ transport: http(rpcUrl), cacheTime: 0 })
  const blocks: ReadBlock[] = []
  const contracts = new Map<string, keyof typeof abis>(
    (['market', 'forwarder', 'usdc', 'bonusHook'] as const).flatMap((name) => {
      const address = deployment[name]
      return address === undefined ? [] : [[address.toLowerCase(), name]]
    }),
  )

  async function readBlock(number: bigint): Promise<ReadBlock> {
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
          succeeded: receipt?.status === '0x1',
          gasWei: receipt === undefined ? 0n : priceOf(receipt),
        }
      }),
      events: outcomes.flatMap(({ logs }) => logs).flatMap((log) => decode(log, number)),
    }
  }

  function decode(log: RawLog, block: bigint): ChainEvent[] {
    const contract = contracts.get(log.address.toLowerCase())
    const logs = [log as never]
    const parsed: unknown[] =
      contract === undefined
        ? parseEventLogs({ abi: sponsoredVaultAbi, eventName: 'Claimed', logs })
        : parseEventLogs({ abi: abis[contract], logs })
    return (parsed as { eventName: string; args: Record<string, unknown> }[]).map(({ eventName, args }) => {
      const place = { contract: contract ?? ('vault' as const), block, txHash: log.transactionHash }
      return { ...place, name: eventName, args: lowerCased(args) }
    })
  }

  /** Removes a block that was replaced, and all that follow it. */
  async function dropReplacedBlocks(head: bigint): Promise<void> {
    for (let last = blocks.at(-1); last !== undefined; last = blocks.at(-1)) {
      const isCanonical =
        last.number <= head && (await client.getBlock({ blockNumber: last.number })).hash === last.hash
      if (isCanonical) return
      blocks.pop()
    }
  }

  return {
    read: async ({ wallets, accounts }) => {
      const head = await client.getBlockNumber()
      await dropReplacedBlocks(head)
      for (let from = (blocks.at(-1)?.number ?? after) + 1n; from <= head; from += BigInt(CONCURRENCY)) {
        const count = Math.min(CONCURRENCY, Number(head - from) + 1)
        blocks.push(
          ...(await Promise.all(Array.from({ length: count }, (_, index) => readBlock(from + BigInt(index))))),
        )
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
        events: blocks.flatMap(({ events }) => events),
        transactions: new Map(blocks.flatMap(({ transactions }) => transactions.map((one) => [one.hash, one]))),
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
