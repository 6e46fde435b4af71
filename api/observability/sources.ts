import { type Address, multicall3Abi } from 'viem'
import type { Chain, ChainHead } from '../chain/chain.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/client.ts'
import { type Backlog, countBacklog, countConnections, findIndexedHead, listLanes } from './backlog.queries.ts'
import { createProbe, type Probe } from './probe.ts'

/** How far the indexer is behind the chain. */
export interface IndexerLag {
  blocks: number
  seconds: number
}

/** One relayer key: its lane here and its account on chain. */
export interface RelayerState {
  address: Address
  nextNonce: bigint
  minedNonce: bigint
  balanceWei: bigint
  /** Less than one relayed write could cost at most now. */
  isPoor: boolean
}

/** Everything outside this process that readiness and metrics look at. Each is bounded and shared. */
export interface Sources {
  /** A round trip through the pool: how long it takes contains the wait for a connection. */
  database: Probe<void>
  chain: Probe<ChainHead>
  indexer: Probe<IndexerLag>
  relayers: Probe<RelayerState[]>
  backlog: Probe<Backlog>
  connections: Probe<{ state: string; count: number }[]>
}

export interface SourceOptions {
  sql: Database
  chain: Chain
  config: Pick<Config, 'REPLACE_AFTER_MS'>
  relayers: readonly Address[]
}

const LIMITS = { timeoutMs: 2_000, freshMs: 1_000 }
/** Where Multicall3 is on every chain; it tells an account's ether like any other value. */
const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11'
/** What a relayed write may use at most (Interface, "Limits"). */
const GAS_OF_A_WRITE = 3_000_000n

export function createSources({ sql, chain, config, relayers }: SourceOptions): Sources {
  return {
    database: createProbe(async () => {
      await sql`select 1`
    }, LIMITS),
    chain: createProbe(() => chain.latestHead(), LIMITS),
    indexer: createProbe(() => measureLag(sql, chain), LIMITS),
    relayers: createProbe(() => lookAtRelayers(sql, chain, relayers), LIMITS),
    backlog: createProbe(() => countBacklog(sql, config.REPLACE_AFTER_MS), LIMITS),
    connections: createProbe(() => countConnections(sql), LIMITS),
  }
}

async function measureLag(sql: Database, chain: Chain): Promise<IndexerLag> {
  const [head, indexed] = await Promise.all([chain.latestHead(), findIndexedHead(sql)])
  if (indexed === null) throw new Error('the read model has no block yet')
  // It may have seen a block that this node has not.
  const blocks = largest(0n, head.number - indexed.blockNumber)
  const seconds = blocks === 0n ? 0n : largest(0n, head.timestamp - indexed.blockTimestamp)
  return { blocks: Number(blocks), seconds: Number(seconds) }
}

async function lookAtRelayers(sql: Database, chain: Chain, addresses: readonly Address[]): Promise<RelayerState[]> {
  const [lanes, fees] = await Promise.all([listLanes(sql, addresses), chain.fees()])
  return await Promise.all(
    addresses.map(async (address) => {
      const [minedNonce, balanceWei] = await Promise.all([
        chain.minedNonce(address),
        chain.read({ address: MULTICALL3, abi: multicall3Abi, functionName: 'getEthBalance', args: [address] }),
      ])
      return {
        address,
        nextNonce: lanes.find((lane) => lane.address === address)?.nextNonce ?? 0n,
        minedNonce,
        balanceWei,
        isPoor: balanceWei < GAS_OF_A_WRITE * fees.maxFeePerGas,
      }
    }),
  )
}

function largest(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
