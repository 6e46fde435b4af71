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

/** Where a transaction is in the chain. */
export interface MinedAt {
  txHash: Hex
  blockNumber: bigint
  blockHash: Hex
}

/** The newest block the service has seen. `timestamp` is the time of every rule, Unix seconds. */
export interface ChainHead {
  number: bigint
  hash: Hex
  parentHash: Hex
  timestamp: bigint
}

/** A block as reads need it: `timestamp` is "now" of what they answer, Unix seconds. */
export type ReadHead = Pick<ChainHead, 'number' | 'timestamp'>

/** A mined transaction as far as the pipeline needs it. */
export interface MinedTransaction {
  hash: Hex
  blockNumber: bigint
  blockHash: Hex
  succeeded: boolean
  /** What its sender paid for its gas, wei; null: known from its logs alone. */
  gasWei: bigint | null
  logs: readonly Log<bigint, number, false>[]
}

/** What some contracts logged in a block. */
export interface BlockLogs {
  blockHash: Hex
  logs: readonly Log<bigint, number, false>[]
}

/** How a simulated call ended. `reverted` is deterministic; anything else throws and means "unknown". */
export type Simulation = { outcome: 'ok'; gas: bigint } | { outcome: 'reverted'; revert: Revert }

/** A decoded revert. */
export interface Revert {
  /** Name of the custom error; `Error` for a revert with a text, `Panic`, `unknown`. */
  errorName: string
  /** A clause for callers: what the error means, or the text or error as it was thrown, such as `NotRelayer(0x…)`. */
  message: string
  data: Hex | null
}

/** A transaction to run without sending it. */
export interface CallToRun {
  from: Address
  to: Address
  data: Hex
  /** The most gas it may take. */
  gasLimit: bigint
  fees: Fees
  /** The state after this block; the newest unless given. */
  blockNumber?: bigint
}

/** The head with the clocks that it was read at. */
export interface ChainClocks {
  head: ChainHead
  clocks: Clocks
}

/** Fees of a transaction, wei a gas. */
export interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/**
 * What the service asks of its chain: the port in front of viem, so that tests can put faults behind it. Every
 * function throws `ChainUnavailable` when the node gives no answer: that means "unknown", never "no".
 */
export interface Chain {
  /**
   * For reads: a head at most about a second old while the node answers, otherwise the newest that is known, of the node or
   * of the rows. Throws only while none is known.
   */
  head(): Promise<ReadHead>
  /** The newest head that is known, of the node or of the rows, without a question to a node; null: none. */
  knownHead(): ReadHead | null
  /** The head as the node knows it now: for writes. Throws at once while the node hangs. */
  latestHead(): Promise<ChainHead>
  /**
   * The newest block that two nodes have, or the head of the only one that answers: what is concluded from it ends intents. Throws
   * while nodes do not agree.
   */
  confirmedHead(): Promise<ChainHead>
  /**
   * True when the node that a head was asked of is still the one that is asked, has the block, and no other has another one in its
   * place. A refusal counts only then: a node that lags or is on a fork refuses what the chain admits.
   */
  isUndisputed(block: Pick<ChainHead, 'number' | 'hash'>): Promise<boolean>
  /** The clocks that a caller's windows are judged by, with the head for reads. */
  clocks(): Promise<Clocks>
  /** The head as the node knows it now, and the clocks of that moment: for writes. */
  latestClocks(): Promise<ChainClocks>
  /** Hash of the block at a height; null when the chain is shorter. */
  blockHash(number: bigint): Promise<Hex | null>
  /** Time of the block at a height, Unix seconds; null when the chain is shorter. */
  blockTimestamp(number: bigint): Promise<bigint | null>
  /** Height of the newest block that no reorg is expected to undo. */
  safeBlockNumber(): Promise<bigint>
  readContract<const abi extends Abi, name extends ContractFunctionName<abi, 'view' | 'pure'>>(call: {
    address: Address
    abi: abi
    functionName: name
    args?: ContractFunctionArgs<abi, 'view' | 'pure', name>
    /** The state after this block; a node that does not have it gives no answer. The newest state unless given. */
    blockNumber?: bigint
  }): Promise<ContractFunctionReturnType<abi, 'view' | 'pure', name>>
  /** Several views in one call, so that all answers are of the newest state; one that reverts is no answer. */
  readContracts<const contracts extends readonly ContractFunctionParameters<Abi, 'view' | 'pure'>[]>(
    contracts: contracts,
  ): Promise<MulticallReturnType<contracts, false>>
  /**
   * Several views in one call, on the state after one block; one that reverts, or answers something else, is a failure of
   * its own. Throws when the node does not have the block or its state.
   */
  readContractsAt<const contracts extends readonly ContractFunctionParameters<Abi, 'view' | 'pure'>[]>(
    blockHash: Hex,
    contracts: contracts,
  ): Promise<MulticallReturnType<contracts, true>>
  /**
   * Reads what an account holds of any token after a block, within a gas limit of its own; null: the token gave no such answer, or
   * the node none. Of a hostile token it is whatever that chooses.
   */
  findTokenBalanceAt(blockHash: Hex, holding: { token: Address; account: Address }): Promise<bigint | null>
  /** Runs a call whole, within its gas limit and at current fees. `gas` is what it takes, refunds not deducted. */
  simulate(call: Omit<CallToRun, 'fees'>): Promise<Simulation>
  /** Whether an account has code now; a key's account that delegates to a contract (EIP-7702) has. */
  hasCode(account: Address): Promise<boolean>
  /** Null while unknown to the node. Throws while nodes do not agree on its block. */
  getTransactionReceipt(hash: Hex): Promise<MinedTransaction | null>
  /** Receiver and calldata of a transaction, lower case; null while unknown to the node. */
  getTransaction(hash: Hex): Promise<{ to: Address | null; data: Hex } | null>
  /** Hands a signed transaction to the node, once. An error says nothing about what happened to it. */
  sendRawTransaction(raw: Hex): Promise<void>
  estimateFeesPerGas(): Promise<Fees>
  /** Transactions mined from an address: the nonce of the next one. */
  getTransactionCount(address: Address): Promise<bigint>
  getLogs(filter: {
    address: Address
    event: AbiEvent
    args: Record<string, unknown>
    fromBlock: bigint
  }): Promise<readonly Log<bigint, number, false>[]>
  /** All that these contracts logged in one block, with its hash; throws where the block says there is more. */
  blockLogs(filter: { addresses: readonly Address[]; blockNumber: bigint }): Promise<BlockLogs>
  /** Wei. */
  getBalance(account: Address): Promise<bigint>
  /** USDC base units. */
  usdcBalance(account: Address): Promise<bigint>
  /** As the token checks it: an account without code by its key, one with code by ERC-1271. */
  verifyTypedData(parameters: { address: Address; typedData: TypedDataDefinition; signature: Hex }): Promise<boolean>
  /** EIP-191, checked in the same way. */
  verifyMessage(parameters: { address: Address; message: string; signature: Hex }): Promise<boolean>
}

/** The node gave no answer, or one that cannot be true. What happened on chain is unknown. */
export class ChainUnavailable extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'ChainUnavailable'
  }
}
