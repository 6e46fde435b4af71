import type { Address, Hex } from 'viem'
import type { IntentStatus } from '../../protocol/intent-statuses.ts'
import type { ForwardedKind, Relay, SubmittedKind } from '../../protocol/relay.ts'
import type { Operation } from './operations.ts'

/**
 * The states of the refund of a failed write. `pending`: to be signed. `refunding`: signed. `refunded`: mined.
 * `failed`: left to an operator.
 */
export const refundStatuses = ['pending', 'refunding', 'refunded', 'failed'] as const
export type RefundStatus = (typeof refundStatuses)[number]

/**
 * The classes of calls. `plain`: the call runs only code of the deployment. `foreign`: the call also runs code of
 * another account, such as the payer's wallet or the requester's hooks.
 */
export const relayClasses = ['plain', 'foreign'] as const
export type RelayClass = (typeof relayClasses)[number]

/** The terms on which a call is relayed. */
export interface RelayTerms {
  relayClass: RelayClass
  /** The gas limit of the transaction; null if it is the gas of the simulation plus a margin. */
  gasLimit: bigint | null
  /**
   * The gas account that pays for a foreign call (see `relayClasses`), and the reserved wei. Null for a plain call,
   * which runs only code of the deployment.
   */
  gas: { account: GasAccount; wei: bigint } | null
}

/** The terms of a call before it is bound. */
export interface CallTerms extends RelayTerms {
  /** The most gas that the simulation of a plain call may use. Null for a foreign call (see `relayClasses`). */
  gasCeiling: bigint | null
  /**
   * The highest usual gas of the call. A request consumes a unit of the rate limit `writes`. If its call uses more gas
   * than this value, the unit is not refunded.
   */
  typicalGas: bigint
}

/** An account from whose quota the gas of calls is paid. */
export interface GasAccount {
  name: string
  /**
   * The limit for the gas cost of the account in wei: the cost that was already paid, plus the cost that is reserved
   * for calls on their way.
   */
  quotaWei: bigint
  /** The seconds until the database row of the gas account can be deleted; null if the row is kept. */
  lifetimeSeconds: number | null
}

/** The position of a transaction on the chain: its block, and its index in the block. */
export interface ChainPosition {
  blockNumber: bigint
  index: number
}

/** The fields of an intent that callers with access to it may read. */
export interface Intent {
  id: string
  idempotencyKey: string
  operation: Operation
  status: IntentStatus
  /**
   * The account that the write acts for. Null while the intent is reserved. Also null for a write of the service
   * itself, and for a write of an anonymous caller.
   */
  initiator: Address | null
  txHash: Hex | null
  taskId: Hex | null
  terminalReason: string | null
  refundStatus: RefundStatus | null
  refundTxHash: Hex | null
  /** The time from which an announced refund can be paid, in Unix seconds. Null if the refund is not announced. */
  refundNotBefore: bigint | null
}

/**
 * The fields that an intent has once it is bound: once its call, and the payment if there is one, are stored with the
 * reservation (`bindReservation`).
 */
interface BoundFields extends Intent {
  /** The id of the intent on chain, which the forwarder contract marks as used. Created by `createChainIntentIds`. */
  chainIntentId: Hex
  target: Address
  calldata: Hex
  facts: Record<string, string>
  boundAtBlock: bigint
  blockNumber: bigint | null
  blockHash: Hex | null
  /**
   * The position on the chain at which the intent was first completed, if this completion was undone. Null if no
   * completion was undone.
   */
  undone: ChainPosition | null
  result: Record<string, unknown> | null
  /** The number of refund transactions that may still fail before an operator decides. */
  refundAttemptsLeft: number
  /** The gas limit that an operator set for one transaction of the refund. Null means the service's limit. */
  refundGasLimit: bigint | null
  /** A newer signature of the payer over the same payment, for the refund. Null means the original signature. */
  refundSignature: Hex | null
  /** The hash of the block that contains the refund. */
  refundBlockHash: Hex | null
  relayClass: RelayClass
  /** The gas limit of the transaction; null if it is the gas of the simulation plus a margin. */
  gasLimit: bigint | null
  /** The number of times that the service checked the intent again while its status was `held`. */
  looks: number
  /** The version of the row. An update applies only if the row still has the version that the caller read. */
  version: bigint
}

/** An intent whose call the forwarder makes. */
export interface ForwardedIntent extends BoundFields {
  kind: ForwardedKind
  relay: Relay
  /** The part of the payment that the called contract pulls, in base units of USDC. */
  escrowAmount: bigint
}

/**
 * An intent whose call contains the signature of the owner of the assets. Any account may submit the call without the
 * forwarder.
 */
export interface SubmittedIntent extends BoundFields {
  kind: SubmittedKind
  /** The end of the call's validity, in Unix seconds. From this time on, the called contract refuses the call. */
  validBefore: bigint
}

/** A bound intent. It contains all values for its relay, so any process can continue it. */
export type BoundIntent = ForwardedIntent | SubmittedIntent
