import type {
  Abi,
  AbiEvent,
  Address,
  ContractFunctionArgs,
  ContractFunctionName,
  ContractFunctionParameters,
  ContractFunctionReturnType,
  Hex,
  Log,
  MulticallReturnType,
  TypedDataDefinition,
} from 'viem'
import type { Clocks } from '../../protocol/windows.ts'

/** The block in which a transaction was mined. */
export interface MinedAt {
  txHash: Hex
  blockNumber: bigint
  blockHash: Hex
}

/** The latest block. `timestamp`, in Unix seconds, is the current time for all rules. */
export interface ChainHead {
  number: bigint
  hash: Hex
  parentHash: Hex
  timestamp: bigint
}

/**
 * The number and timestamp of the block to which a read's answer belongs. The answer treats `timestamp` (Unix seconds)
 * as the present time, for example to decide if a deadline has passed.
 */
export type ReadHead = Pick<ChainHead, 'number' | 'timestamp'>

/** A mined transaction, with the fields that the relayer needs. */
export interface MinedTransaction {
  hash: Hex
  blockNumber: bigint
  blockHash: Hex
  succeeded: boolean
  /** The gas cost that the sender paid, in wei. Null if only the transaction's logs are known. */
  gasWei: bigint | null
  logs: readonly Log<bigint, number, false>[]
}

/** The logs of some contracts in one block. */
export interface BlockLogs {
  blockHash: Hex
  logs: readonly Log<bigint, number, false>[]
}

/**
 * The result of a simulated call. A revert is a result. If no node can run the call, the simulation throws an error.
 */
export type Simulation = { outcome: 'ok'; gas: bigint } | { outcome: 'reverted'; revert: Revert }

/** The decoded reason why a call reverted. */
export interface Revert {
  /** The name of the custom error. `Error`: a revert with a text. `Panic`: a panic. `unknown`: other data. */
  errorName: string
  /**
   * A clause that explains the error to callers. If no explanation exists for the error, its name and arguments,
   * such as `NotRelayer(0x…)`.
   */
  message: string
  data: Hex | null
}

/** A transaction for a simulation. */
export interface CallToRun {
  from: Address
  to: Address
  data: Hex
  /** The gas limit of the transaction. */
  gasLimit: bigint
  fees: Fees
  /** The block on whose state the transaction is run. Default: the latest block. */
  blockNumber?: bigint
}

/** The latest block, and the times of the chain and the host when the block was read. */
export interface ChainClocks {
  head: ChainHead
  clocks: Clocks
}

/** The fees of a transaction, wei per gas. */
export interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/**
 * The functions by which the service reads and writes the chain. Every function throws `ChainUnavailable` if the node
 * gives no answer. The state is then unknown.
 */
export interface Chain {
  /**
   * Returns the latest block for reads. If the node answers, the block is at most about one second old. Otherwise it is
   * the newest block that this process knows from a node or from the indexer. Throws only if no block is known.
   */
  head(): Promise<ReadHead>
  /**
   * Returns the newest block that this process knows from a node or from the indexer, without a request. Null if no
   * block is known.
   */
  knownHead(): ReadHead | null
  /**
   * Returns the current time of the chain in Unix seconds, without a request. The time is the host's time plus the last
   * measured difference between the chain's time and the host's time.
   */
  knownTime(): bigint
  /** Returns the node's latest block, for writes. Throws at once while the node does not answer. */
  latestHead(): Promise<ChainHead>
  /**
   * Returns the newest block that at least two nodes have. If only one node answers, returns the latest block of this
   * node. Throws while the nodes disagree. The relayer decides from the state after this block whether an intent
   * succeeded.
   */
  confirmedHead(): Promise<ChainHead>
  /**
   * Returns true if the nodes agree on a block, and the service still uses the node that returned the block. Only then
   * may the service refuse a write because of the state after this block. If the block came from a forked node, the
   * service could otherwise refuse a write that the chain would admit.
   */
  isUndisputed(block: Pick<ChainHead, 'number' | 'hash'>): Promise<boolean>
  /** Returns the time of the block of `head()`, and the current time. Reads use both to evaluate time windows. */
  clocks(): Promise<Clocks>
  /** Returns the node's latest block and the current times of the chain and the host, for writes. */
  latestClocks(): Promise<ChainClocks>
  /** Returns the hash of the block at a height; null if the chain has no block at that height yet. */
  blockHash(number: bigint): Promise<Hex | null>
  /**
   * Returns the timestamp of the block at a height, in Unix seconds. Null if the chain has no block at this height yet.
   */
  blockTimestamp(number: bigint): Promise<bigint | null>
  /** Returns the number of the newest safe block. A reorg is not expected to undo a safe block. */
  safeBlockNumber(): Promise<bigint>
  readContract<const abi extends Abi, name extends ContractFunctionName<abi, 'view' | 'pure'>>(call: {
    address: Address
    abi: abi
    functionName: name
    args?: ContractFunctionArgs<abi, 'view' | 'pure', name>
    /** The block whose state is read. Default: the latest block. If the node lacks the block, the read throws. */
    blockNumber?: bigint
  }): Promise<ContractFunctionReturnType<abi, 'view' | 'pure', name>>
  /**
   * Calls several view functions on the latest state in one request. If one function reverts, the whole call throws
   * `ChainUnavailable`.
   */
  readContracts<const contracts extends readonly ContractFunctionParameters<Abi, 'view' | 'pure'>[]>(
    contracts: contracts,
  ): Promise<MulticallReturnType<contracts, false>>
  /**
   * Calls several view functions on the state of one block in one request. A revert of one function is returned as the
   * function's failure. Throws if the node lacks the block or the block's state.
   */
  readContractsAt<const contracts extends readonly ContractFunctionParameters<Abi, 'view' | 'pure'>[]>(
    blockHash: Hex,
    contracts: contracts,
  ): Promise<MulticallReturnType<contracts, true>>
  /**
   * Reads an account's balance of any token after a block, with a gas limit. Null if the token or the node gives no
   * answer. A hostile token may return any number.
   */
  findTokenBalanceAt(blockHash: Hex, holding: { token: Address; account: Address }): Promise<bigint | null>
  /**
   * Simulates a call with the call's gas limit and the current fees. The returned `gas` is the gas used before refunds
   * are deducted.
   */
  simulate(call: Omit<CallToRun, 'fees'>): Promise<Simulation>
  /** Returns true if an account has code now. By delegation (EIP-7702), an account with a key can also have code. */
  hasCode(account: Address): Promise<boolean>
  /**
   * Returns a mined transaction; null if the node has no receipt. Throws while the nodes disagree on the transaction's
   * block.
   */
  getTransactionReceipt(hash: Hex): Promise<MinedTransaction | null>
  /**
   * Returns the receiver and the calldata of a transaction in lower case; null if the node does not have the
   * transaction.
   */
  getTransaction(hash: Hex): Promise<{ to: Address | null; data: Hex } | null>
  /** Sends a signed transaction once. After an error it is unknown if a node accepted the transaction. */
  sendRawTransaction(rawTransaction: Hex): Promise<void>
  estimateFeesPerGas(): Promise<Fees>
  /** Returns the number of mined transactions of an address. The number is also the next nonce. */
  getTransactionCount(address: Address): Promise<bigint>
  getLogs(filter: {
    address: Address
    event: AbiEvent
    args: Record<string, unknown>
    fromBlock: bigint
  }): Promise<readonly Log<bigint, number, false>[]>
  /**
   * Returns all logs of these contracts in one block, with the block's hash. Throws if the node omits logs that the
   * block's bloom filter indicates.
   */
  blockLogs(filter: { addresses: readonly Address[]; blockNumber: bigint }): Promise<BlockLogs>
  /** Returns an account's balance of ether, in wei. */
  getBalance(account: Address): Promise<bigint>
  /** Returns an account's balance of USDC, in base units. */
  usdcBalance(account: Address): Promise<bigint>
  /**
   * Checks an EIP-712 signature by key. If the account has code and the check by key fails, asks the account's contract
   * (ERC-1271).
   */
  verifyTypedData(parameters: { address: Address; typedData: TypedDataDefinition; signature: Hex }): Promise<boolean>
  /**
   * Checks an EIP-191 signature in the same way as `verifyTypedData`: by key, or by the account's contract (ERC-1271).
   */
  verifyMessage(parameters: { address: Address; message: string; signature: Hex }): Promise<boolean>
}

/** The error for a node that gave no answer or an impossible answer. The chain's state is then unknown. */
export class ChainUnavailable extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'ChainUnavailable'
  }
}
