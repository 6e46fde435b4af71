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
 * The number and timestamp of the block that a read is based on. The read's answer treats `timestamp`, in Unix seconds,
 * as the current time.
 */
export type ReadHead = Pick<ChainHead, 'number' | 'timestamp'>

/** A mined transaction, with the fields that the relayer needs. */
export interface MinedTransaction {
  hash: Hex
  blockNumber: bigint
  blockHash: Hex
  succeeded: boolean
  /** The gas cost that the sender paid, wei; null if only the transaction's logs are known. */
  gasWei: bigint | null
  logs: readonly Log<bigint, number, false>[]
}

/** The logs of some contracts in one block. */
export interface BlockLogs {
  blockHash: Hex
  logs: readonly Log<bigint, number, false>[]
}

/**
 * The result of a simulated call. `reverted` is a result of the chain; every failure of a node throws instead, and then
 * the result is unknown.
 */
export type Simulation = { outcome: 'ok'; gas: bigint } | { outcome: 'reverted'; revert: Revert }

/** The decoded reason why a call reverted. */
export interface Revert {
  /**
   * The name of the custom error; `Error` for a revert with a text, `Panic` for a panic, and `unknown` for other data.
   */
  errorName: string
  /** A clause for callers that explains the error, or the error in its original form, such as `NotRelayer(0x…)`. */
  message: string
  data: Hex | null
}

/** A transaction that is run without being sent. */
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

/** The latest block, with the clocks of the time at which it was read. */
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
 * The functions by which the service reads and writes the chain. This interface hides viem, so that tests can inject
 * faults. Every function throws `ChainUnavailable` if the node gives no answer. The state is then unknown.
 */
export interface Chain {
  /**
   * Returns the latest block for reads. While the node answers, the block is at most about one second old. If the node
   * does not answer, it is the newest block that the node has returned or that is indexed. Throws only if there is no
   * such block.
   */
  head(): Promise<ReadHead>
  /**
   * Returns the newest block that the node has returned or that is indexed, without a request to a node. Null if there
   * is no such block.
   */
  knownHead(): ReadHead | null
  /**
   * Returns the current time of the chain, Unix seconds, without a request to a node. It is the host's time plus the
   * difference between the chain's clock and the host's clock, as last measured.
   */
  knownTime(): bigint
  /** Returns the node's latest block, for writes. Throws at once while the node does not answer. */
  latestHead(): Promise<ChainHead>
  /**
   * Returns the newest block that at least two nodes have, or the latest block of the only node that answers. Intents
   * are decided by the state after this block. Throws while the nodes disagree.
   */
  confirmedHead(): Promise<ChainHead>
  /**
   * Returns true if three conditions hold: the node that returned the block is still the current one, this node has the
   * block, and no other node has a different block at that height. Only then is a refusal based on this block valid,
   * because a node that is behind or forked refuses writes that the chain would admit.
   */
  isUndisputed(block: Pick<ChainHead, 'number' | 'hash'>): Promise<boolean>
  /**
   * Returns the clocks against which a read checks time windows. The clocks belong to the block that `head()` returns.
   */
  clocks(): Promise<Clocks>
  /** Returns the node's latest block and the current clocks, for writes. */
  latestClocks(): Promise<ChainClocks>
  /** Returns the hash of the block at a height; null if the chain has no block at that height yet. */
  blockHash(number: bigint): Promise<Hex | null>
  /**
   * Returns the timestamp of the block at a height, Unix seconds; null if the chain has no block at that height yet.
   */
  blockTimestamp(number: bigint): Promise<bigint | null>
  /** Returns the number of the newest safe block, which no reorg is expected to undo. */
  safeBlockNumber(): Promise<bigint>
  readContract<const abi extends Abi, name extends ContractFunctionName<abi, 'view' | 'pure'>>(call: {
    address: Address
    abi: abi
    functionName: name
    args?: ContractFunctionArgs<abi, 'view' | 'pure', name>
    /** The block whose state is read. Default: the latest block. A node without this block gives no answer. */
    blockNumber?: bigint
  }): Promise<ContractFunctionReturnType<abi, 'view' | 'pure', name>>
  /**
   * Calls several view functions on the latest state in one request. A revert of one of them throws, as if the node
   * gave no answer.
   */
  readContracts<const contracts extends readonly ContractFunctionParameters<Abi, 'view' | 'pure'>[]>(
    contracts: contracts,
  ): Promise<MulticallReturnType<contracts, false>>
  /**
   * Calls several view functions on the state of one block in one request. A revert or an undecodable answer of one
   * function is returned as the failure of that function. Throws if the node lacks the block or its state.
   */
  readContractsAt<const contracts extends readonly ContractFunctionParameters<Abi, 'view' | 'pure'>[]>(
    blockHash: Hex,
    contracts: contracts,
  ): Promise<MulticallReturnType<contracts, true>>
  /**
   * Reads an account's balance of any token after a block, with a limited amount of gas. Null if the token or the node
   * gives no answer. A hostile token may return any number.
   */
  findTokenBalanceAt(blockHash: Hex, holding: { token: Address; account: Address }): Promise<bigint | null>
  /**
   * Simulates a call with its gas limit and current fees. The returned `gas` is the gas used before refunds are
   * deducted.
   */
  simulate(call: Omit<CallToRun, 'fees'>): Promise<Simulation>
  /** Returns true if an account has code now. The account of a key may also have code, by delegation (EIP-7702). */
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
  /** Sends a signed transaction once, without repetition. After an error it is unknown whether a node accepted it. */
  sendRawTransaction(rawTransaction: Hex): Promise<void>
  estimateFeesPerGas(): Promise<Fees>
  /** Returns the number of mined transactions that an address sent, which is the nonce of the next one. */
  getTransactionCount(address: Address): Promise<bigint>
  getLogs(filter: {
    address: Address
    event: AbiEvent
    args: Record<string, unknown>
    fromBlock: bigint
  }): Promise<readonly Log<bigint, number, false>[]>
  /**
   * Returns all logs of these contracts in one block, with the block's hash. Throws if the node returns no logs
   * although the block's bloom filter indicates some.
   */
  blockLogs(filter: { addresses: readonly Address[]; blockNumber: bigint }): Promise<BlockLogs>
  /** Returns an account's balance of ether, wei. */
  getBalance(account: Address): Promise<bigint>
  /** Returns an account's balance of USDC, base units. */
  usdcBalance(account: Address): Promise<bigint>
  /**
   * Checks an EIP-712 signature in the same way as the token contract. For an account without code, the signature is
   * checked by key; for an account with code, by ERC-1271.
   */
  verifyTypedData(parameters: { address: Address; typedData: TypedDataDefinition; signature: Hex }): Promise<boolean>
  /** Checks an EIP-191 signature, by key or by ERC-1271 like `verifyTypedData`. */
  verifyMessage(parameters: { address: Address; message: string; signature: Hex }): Promise<boolean>
}

/** The error for a node that gave no answer or an impossible one. The chain's state is unknown. */
export class ChainUnavailable extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'ChainUnavailable'
  }
}
