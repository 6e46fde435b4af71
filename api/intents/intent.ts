import type { Address, Hex } from 'viem'
import type { IntentStatus } from '../../protocol/intent-statuses.ts'
import type { ForwardedKind, Relay, SubmittedKind } from '../../protocol/relay.ts'
import type { Operation } from './operations.ts'

/** The refund of a payment whose write failed: owed, signed, mined, or left to an operator. */
export const refundStatuses = ['pending', 'refunding', 'refunded', 'failed'] as const
export type RefundStatus = (typeof refundStatuses)[number]

/** The classes of a call. `foreign`: it runs code of its payer, its signer or the requester of its task. */
export const relayClasses = ['plain', 'foreign'] as const
export type RelayClass = (typeof relayClasses)[number]

/** The terms on which a call is relayed. */
export interface RelayTerms {
  relayClass: RelayClass
  /** The gas limit of the signature; null: the gas of its simulation, and a margin. */
  gasLimit: bigint | null
  /** The gas account of a foreign call, and its reservation until the price is known; null for a plain one. */
  gas: { account: GasAccount; wei: bigint } | null
}

/** The terms of a call before it is bound. */
export interface CallTerms extends RelayTerms {
  /** The most simulated gas of a plain call; null: a foreign call, which has its own limits. */
  gasCeiling: bigint | null
  /** The gas up to which a call is usual. */
  typicalGas: bigint
}

/** The account that a call draws its gas from. */
export interface GasAccount {
  name: string
  /** The quota in wei. */
  quotaWei: bigint
  /** The seconds until the row can be deleted; null: it stays. */
  lifetimeSeconds: number | null
}

/** The place of a transaction: its block, and its index there. */
export interface ChainPosition {
  blockNumber: bigint
  index: number
}

/** The public fields of an intent, for callers who may see it. */
export interface Intent {
  id: string
  idempotencyKey: string
  operation: Operation
  status: IntentStatus
  /** The initiator; null while reserved, and in open writes of anonymous callers. */
  initiator: Address | null
  txHash: Hex | null
  taskId: Hex | null
  terminalReason: string | null
  refundStatus: RefundStatus | null
  refundTxHash: Hex | null
  /**
   * The time from which an announced refund can be paid, Unix seconds; null: it needs no announcement, or has none yet.
   */
  refundNotBefore: bigint | null
}

/** The fields of every intent from its bind on. */
interface BoundFields extends Intent {
  /** The id that the forwarder consumes, one of `createChainIntentIds`. */
  chainIntentId: Hex
  target: Address
  calldata: Hex
  facts: Record<string, string>
  boundAtBlock: bigint
  blockNumber: bigint | null
  blockHash: Hex | null
  /** The first place of its completion, when a reorg removed that block; null: none was removed. */
  undone: ChainPosition | null
  result: Record<string, unknown> | null
  /** The transactions of the refund that may still be mined without effect before an operator decides. */
  refundAttemptsLeft: number
  /** The gas of one such transaction, as an operator allowed it; null: the service's limit. */
  refundGasLimit: bigint | null
  /** A newer signature of the payer over the same payment, which the refund uses; null: the payment's own. */
  refundSignature: Hex | null
  /** The block of the refund. */
  refundBlockHash: Hex | null
  relayClass: RelayClass
  /** The gas limit of its transaction; null: the gas of its simulation, and a margin. */
  gasLimit: bigint | null
  /** The number of checks of a held intent. */
  looks: number
  /** The version of the record: a decision holds only for the version that it was made on. */
  version: bigint
}

/** An intent whose call the forwarder makes. */
export interface ForwardedIntent extends BoundFields {
  kind: ForwardedKind
  relay: Relay
  /** The base units of the payment that the call pulls. */
  escrowAmount: bigint
}

/** An intent whose call is submitted as its owner signed it; any account may submit it too. */
export interface SubmittedIntent extends BoundFields {
  kind: SubmittedKind
  /** The time from which no account can submit it, Unix seconds. */
  validBefore: bigint
}

/** An intent from its bind on, with everything its relay needs, so that any process can continue it. */
export type BoundIntent = ForwardedIntent | SubmittedIntent
