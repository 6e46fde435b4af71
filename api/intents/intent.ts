import type { Address, Hex } from 'viem'
import type { IntentStatus } from '../../protocol/intent-statuses.ts'
import type { ForwardedKind, Relay, SubmittedKind } from '../../protocol/relay.ts'
import type { Operation } from './operations.ts'

/** The refund of a payment whose write failed: owed, signed, mined, or left to an operator. */
export const refundStatuses = ['pending', 'refunding', 'refunded', 'failed'] as const
export type RefundStatus = (typeof refundStatuses)[number]

/** `foreign`: the call runs code that its payer, its signer or the requester of its task brought. */
export const relayClasses = ['plain', 'foreign'] as const
export type RelayClass = (typeof relayClasses)[number]

/** On what terms a call is relayed. */
export interface RelayTerms {
  relayClass: RelayClass
  /** Gas that the transaction is signed with; null: what its simulation takes, and a margin. */
  gasLimit: bigint | null
  /** What a foreign call draws on, and how much of it until its price is known; null for a plain one. */
  gas: { account: GasAccount; wei: bigint } | null
}

/** The terms of a call before it is bound. */
export interface CallTerms extends RelayTerms {
  /** The most gas of a plain call, by its simulation; null: a foreign call, which has bounds of its own. */
  gasCeiling: bigint | null
  /** The gas up to which it is a usual call. */
  typicalGas: bigint
}

/** What a call draws its gas from. */
export interface GasAccount {
  name: string
  /** All that may be used, wei. */
  quotaWei: bigint
  /** Seconds until the row is of no use any more; null: it is kept. */
  lifetimeSeconds: number | null
}

/** The place of a transaction: its block, and its index there. */
export interface ChainPosition {
  blockNumber: bigint
  index: number
}

/** What any caller who may see an intent sees of it. */
export interface Intent {
  id: string
  idempotencyKey: string
  operation: Operation
  status: IntentStatus
  /** Null while reserved, and on open writes of anonymous callers. */
  initiator: Address | null
  txHash: Hex | null
  taskId: Hex | null
  terminalReason: string | null
  refundStatus: RefundStatus | null
  refundTxHash: Hex | null
  /** When an announced refund can be paid, Unix seconds; null: it needs no announcement, or has none yet. */
  refundNotBefore: bigint | null
}

/** Fields that intents of every kind have from bind on. */
interface BoundFields extends Intent {
  /** What the forwarder consumes: one of `createChainIntentIds`. */
  chainIntentId: Hex
  target: Address
  calldata: Hex
  facts: Record<string, string>
  boundAtBlock: bigint
  blockNumber: bigint | null
  blockHash: Hex | null
  /** Where it completed first, when a reorg removed that block; null: none was removed. */
  undone: ChainPosition | null
  result: Record<string, unknown> | null
  /** Transactions of the refund that may still be mined for nothing before an operator decides. */
  refundAttemptsLeft: number
  /** Gas of one such transaction, as an operator allowed it; null: the service's own limit. */
  refundGasLimit: bigint | null
  /** A newer signature of the payer over the same payment, which the refund goes by; null: the payment's own. */
  refundSignature: Hex | null
  /** Where the payment went back, once it did. */
  refundBlockHash: Hex | null
  relayClass: RelayClass
  /** Gas that its transaction is signed with; null: what its simulation takes, and a margin. */
  gasLimit: bigint | null
  /** How often a held intent was looked at again. */
  looks: number
  /** Counts the changes of the record: a decision about it holds for the version it was made on. */
  version: bigint
}

/** An intent whose call the forwarder makes. */
export interface ForwardedIntent extends BoundFields {
  kind: ForwardedKind
  relay: Relay
  /** Base units of the payment that the call pulls. */
  escrowAmount: bigint
}

/** An intent whose call is submitted as it is: its owner has signed it, and any account may submit it too. */
export interface SubmittedIntent extends BoundFields {
  kind: SubmittedKind
  /** From then on no account can submit it, Unix seconds. */
  validBefore: bigint
}

/** An intent from bind on: everything its relay needs, so that any process can go on with it. */
export type BoundIntent = ForwardedIntent | SubmittedIntent
