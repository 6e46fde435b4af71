import { type Hex, isAddressEqual, type Log, parseEventLogs, zeroHash } from 'viem'
import { type Chain, ChainUnavailable, type MinedTransaction, type Simulation } from '../../../api/chain/chain.ts'
import type { RelayerDeps } from '../../../api/relayer/transactions/relay-context.ts'
import type { TestApi } from '../../support/api.ts'

/** What a node shows, which a test writes down; nothing of it follows from anything else. */
export interface NodeState {
  number: bigint
  /** Of the head. */
  hash: Hex
  parentHash: Hex
  /** Unix seconds. */
  timestamp: bigint
  /** Of the block at each height; null: the chain is shorter. */
  blockHashOf: (number: bigint) => Hex | null
  /** Of every block that is asked for. */
  blockLogs: readonly Log<bigint, number, false>[]
  safe: bigint
  /** Answers of views, by name of the function. */
  views: Record<string, unknown>
  /** By name of the event. */
  logs: Record<string, readonly Log<bigint, number, false>[] | undefined>
  receipts: Record<Hex, Partial<MinedTransaction> | 'unavailable'>
  transactions: Record<Hex, { to: Hex; data: Hex }>
  simulate: (call: Parameters<Chain['simulate']>[0]) => Simulation
  fees: { maxFeePerGas: bigint; maxPriorityFeePerGas: bigint }
  hasCode: boolean
  /** Transactions mined from each account. */
  minedNonce: bigint
}

/** A scripted node, with the calls that it ran and the transactions that it was handed. */
export interface ScriptedNode {
  deps: RelayerDeps
  state: NodeState
  ran: Parameters<Chain['simulate']>[0][]
  sent: Hex[]
}

export const succeeding: Simulation = { outcome: 'ok', gas: 100_000n }

export function reverting(errorName = 'Refused'): Simulation {
  return { outcome: 'reverted', revert: { errorName, message: `it reverts: ${errorName}`, data: null } }
}

/** Simulates nothing: the node is away. */
export function unanswered(): never {
  throw new ChainUnavailable('no answer')
}

/** The relayer's dependencies of a test API on a node that shows this, and otherwise an unused chain at block 100. */
export function aScriptedNode(api: TestApi, shown: Partial<NodeState> = {}): ScriptedNode {
  const state: NodeState = {
    number: 100n,
    hash: zeroHash,
    parentHash: zeroHash,
    blockHashOf: () => zeroHash,
    blockLogs: [],
    timestamp: api.chain.now,
    safe: 90n,
    views: {},
    logs: {},
    receipts: {},
    transactions: {},
    simulate: () => succeeding,
    fees: { maxFeePerGas: 3_000n, maxPriorityFeePerGas: 1_000n },
    hasCode: false,
    minedNonce: 0n,
    ...shown,
  }
  const node: Omit<ScriptedNode, 'deps'> = { state, ran: [], sent: [] }
  const head = async () => {
    const { number, hash, parentHash, timestamp } = state
    return { number, hash, parentHash, timestamp }
  }
  const chain: Chain = {
    ...api.chain,
    head,
    latestHead: head,
    confirmedHead: head,
    blockHash: async (number) => state.blockHashOf(number),
    blockLogs: async ({ addresses }) => {
      const logs = state.blockLogs.filter((log) => addresses.some((address) => isAddressEqual(address, log.address)))
      return { blockHash: zeroHash, logs }
    },
    safeBlockNumber: async () => state.safe,
    readContract: async ({ functionName }) => (state.views[functionName] ?? false) as never,
    getLogs: async ({ address, event, args, fromBlock }) => {
      const logs = state.logs[event.name] ?? []
      const placed = logs.filter((log) => isAddressEqual(address, log.address) && log.blockNumber >= fromBlock)
      return parseEventLogs({ abi: [event], args, logs: placed as Log[] }) as never
    },
    simulate: async (call) => {
      node.ran.push(call)
      return state.simulate(call)
    },
    estimateFeesPerGas: async () => state.fees,
    hasCode: async () => state.hasCode,
    getTransactionCount: async () => state.minedNonce,
    getTransaction: async (hash) => state.transactions[hash] ?? null,
    getTransactionReceipt: async (hash) => {
      const receipt = state.receipts[hash]
      if (receipt === 'unavailable') throw new ChainUnavailable('no answer')
      const mined = { hash, blockNumber: 9n, blockHash: zeroHash, succeeded: true, gasWei: 7n, logs: [] }
      return receipt === undefined ? null : { ...mined, ...receipt }
    },
    sendRawTransaction: async (raw) => {
      node.sent.push(raw)
    },
  }
  return { ...node, deps: { ...api.deps, chain, deployment: { ...api.deps.deployment, bound: true } } }
}
