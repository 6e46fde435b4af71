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

/** The position of a transaction in the chain. */
export interface MinedAt {
  txHash: Hex
  blockNumber: bigint
  blockHash: Hex
}

/** The newest block. `timestamp` is the time of every rule, Unix seconds. */
export interface ChainHead {
  number: bigint
  hash: Hex
  parentHash: Hex
  timestamp: bigint
}

/** The block facts for reads: `timestamp` is the time of their answers, Unix seconds. */
export type ReadHead = Pick<ChainHead, 'number' | 'timestamp'>

/** The facts of a mined transaction for the pipeline. */
export interface MinedTransaction {
  hash: Hex
  blockNumber: bigint
  blockHash: Hex
  succeeded: boolean
  /** The sender's cost of gas, wei; null: only its logs are known. */
  gasWei: bigint | null
  logs: readonly Log<bigint, number, false>[]
}

/** The logs of some contracts in a block. */
export interface BlockLogs {
  blockHash: Hex
  logs: readonly Log<bigint, number, false>[]
}

/** The result of a simulated call. `reverted` is deterministic; anything else throws and means "unknown". */
export type Simulation = { outcome: 'ok'; gas: bigint } | { outcome: 'reverted'; revert: Revert }

/** A decoded revert. */
export interface Revert {
  /** The name of the custom error; `Error` for a revert with a text, `Panic`, `unknown`. */
  errorName: string
  /** A clause for callers: the meaning of the error, or its original text, such as `NotRelayer(0x…)`. */
  message: string
  data: Hex | null
}

/** A transaction to run without sending it. */
export interface CallToRun {
  from: Address
  to: Address
  data: Hex
  /** The gas limit. */
  gasLimit: bigint
  fees: Fees
  /** The block whose state is used; by default the newest. */
  blockNumber?: bigint
}

/** The head with the clocks that it was read at. */
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
 * The chain port, in front of viem so that tests can inject faults. Every function throws `ChainUnavailable` when the
 * node gives no answer: that means "unknown", never "no".
 */
export interface Chain {
  /**
   * Returns the head for reads, at most about a second old while the node answers, otherwise the newest known one of
   * the node or rows. Throws only while none is known.
   */
  head(): Promise<ReadHead>
  /** Returns the newest known head of the node or rows, without a node request; null: none. */
  knownHead(): ReadHead | null
  /** Returns the chain's time by its last reading, Unix seconds, without a node request. */
  knownTime(): bigint
  /** Returns the node's present head, for writes. Throws at once while the node hangs. */
  latestHead(): Promise<ChainHead>
  /**
   * Returns the newest block that two nodes have, or the head of the only node that answers. Intents end by it. Throws
   * while nodes disagree.
   */
  confirmedHead(): Promise<ChainHead>
  /**
   * Returns true when the node that returned the head is still current and has the block, and no other node has another
   * one in its place. Only then a refusal counts: a lagging or forked node refuses what the chain admits.
   */
  isUndisputed(block: Pick<ChainHead, 'number' | 'hash'>): Promise<boolean>
  /** Returns the clocks that judge a caller's windows, with the head for reads. */
  clocks(): Promise<Clocks>
  /** Returns the node's present head and clocks, for writes. */
  latestClocks(): Promise<ChainClocks>
  /** Returns the hash of the block at a height; null when the chain is shorter. */
  blockHash(number: bigint): Promise<Hex | null>
  /** Returns the time of the block at a height, Unix seconds; null when the chain is shorter. */
  blockTimestamp(number: bigint): Promise<bigint | null>
  /** Returns the height of the newest block that no reorg is expected to undo. */
  safeBlockNumber(): Promise<bigint>
  readContract<const abi extends Abi, name extends ContractFunctionName<abi, 'view' | 'pure'>>(call: {
    address: Address
    abi: abi
    functionName: name
    args?: ContractFunctionArgs<abi, 'view' | 'pure', name>
    /** The block whose state is read, by default the newest; a node without it gives no answer. */
    blockNumber?: bigint
  }): Promise<ContractFunctionReturnType<abi, 'view' | 'pure', name>>
  /** Reads several views of the newest state in one call; a revert of one counts as no answer. */
  readContracts<const contracts extends readonly ContractFunctionParameters<Abi, 'view' | 'pure'>[]>(
    contracts: contracts,
  ): Promise<MulticallReturnType<contracts, false>>
  /**
   * Reads several views of one block's state in one call; a revert or a wrong answer of one is its own failure. Throws
   * when the node lacks the block or its state.
   */
  readContractsAt<const contracts extends readonly ContractFunctionParameters<Abi, 'view' | 'pure'>[]>(
    blockHash: Hex,
    contracts: contracts,
  ): Promise<MulticallReturnType<contracts, true>>
  /**
   * Reads the balance of any token after a block, within its own gas limit; null: the token or the node gave no answer.
   * A hostile token returns what it chooses.
   */
  findTokenBalanceAt(blockHash: Hex, holding: { token: Address; account: Address }): Promise<bigint | null>
  /** Runs a whole call within its gas limit and at current fees. `gas` is its use, refunds not deducted. */
  simulate(call: Omit<CallToRun, 'fees'>): Promise<Simulation>
  /** Returns true if an account has code now, also by delegation of a key's account (EIP-7702). */
  hasCode(account: Address): Promise<boolean>
  /** Returns null while the node has no receipt. Throws while nodes disagree on its block. */
  getTransactionReceipt(hash: Hex): Promise<MinedTransaction | null>
  /** Returns receiver and calldata of a transaction, lower case; null while the node lacks it. */
  getTransaction(hash: Hex): Promise<{ to: Address | null; data: Hex } | null>
  /** Sends a signed transaction to the node, once. An error leaves its fate unknown. */
  sendRawTransaction(raw: Hex): Promise<void>
  estimateFeesPerGas(): Promise<Fees>
  /** Returns the number of transactions mined from an address, the nonce of the next one. */
  getTransactionCount(address: Address): Promise<bigint>
  getLogs(filter: {
    address: Address
    event: AbiEvent
    args: Record<string, unknown>
    fromBlock: bigint
  }): Promise<readonly Log<bigint, number, false>[]>
  /** Returns all logs of these contracts in one block, with its hash; throws where the block's bloom shows more. */
  blockLogs(filter: { addresses: readonly Address[]; blockNumber: bigint }): Promise<BlockLogs>
  /** Returns the balance in wei. */
  getBalance(account: Address): Promise<bigint>
  /** Returns the balance in USDC base units. */
  usdcBalance(account: Address): Promise<bigint>
  /** Checks a signature like the token: by key for an account without code, by ERC-1271 for one with code. */
  verifyTypedData(parameters: { address: Address; typedData: TypedDataDefinition; signature: Hex }): Promise<boolean>
  /** Checks an EIP-191 signature in the same way. */
  verifyMessage(parameters: { address: Address; message: string; signature: Hex }): Promise<boolean>
}

/** Thrown when the node gave no answer, or an impossible one. The chain's state is unknown. */
export class ChainUnavailable extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'ChainUnavailable'
  }
}
