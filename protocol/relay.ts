import { type Address, encodeFunctionData, type Hex, size, slice, zeroHash } from 'viem'
import { forwarderAbi } from './abi.ts'

/**
 * Kinds of calls that the forwarder makes, each proven by its event `IntentRelayed`: calls of the market, and of a registry, the
 * registrar or a hook of the deployment.
 */
export const forwardedKinds = ['market', 'registry'] as const
export type ForwardedKind = (typeof forwardedKinds)[number]

/**
 * Kinds of calls that any account may submit unchanged, each proven by the event of the called contract: a transfer of USDC that
 * its owner authorized, a claim or a withdrawal of tokens that its owner signed, and a switch at the forwarder that a wallet
 * signed.
 */
export const submittedKinds = ['transfer', 'claim', 'switch'] as const
export type SubmittedKind = (typeof submittedKinds)[number]

/** The kind of a relayed call. */
export type CallKind = ForwardedKind | SubmittedKind

/** Returns whether the forwarder makes calls of a kind. Example: `isForwarded('transfer')` is false. */
export function isForwarded(kind: CallKind): kind is ForwardedKind {
  return kind === 'market' || kind === 'registry'
}

/** Modes that an entry offers: paid by an authorization of USDC, free in the name of a signer, or open to any caller. */
export const entryModes = ['paid', 'signed', 'open'] as const
export type EntryMode = (typeof entryModes)[number]

/**
 * Modes of a relayed call (`RelayMode` of the contracts): those of entries, with a payment that another account has settled
 * already, and with one that pays for this call alone.
 */
export const relayModes = [...entryModes, 'prepaid', 'bound'] as const
export type RelayMode = (typeof relayModes)[number]

/** An authorization of USDC towards the forwarder (ERC-3009), with its signature. Base units, Unix seconds. */
export interface Payment {
  from: Address
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: Hex
  signature: Hex
  /** Salt of a bound payment, whose nonce follows from call and salt. Absent: a plain payment, which any account may submit. */
  salt?: Hex
}

/** A payment for one call alone, which only the forwarder can submit. */
export interface BoundPayment extends Payment {
  salt: Hex
}

/** Returns whether a payment is bound to its call. Example: `isBound({ ...payment, salt: '0x01..' })` is true. */
export function isBound(payment: Payment): payment is BoundPayment {
  return payment.salt !== undefined
}

/** The actor of a forwarded call, and its proof. `suffix`: the end of the signed text, which the forwarder rebuilds. */
export type Relay =
  | { mode: 'paid' | 'prepaid'; payment: Payment }
  | { mode: 'bound'; payment: BoundPayment }
  | { mode: 'signed'; actor: Address; signature: Hex; suffix: string }
  | { mode: 'open' }

/** A call of a contract. `escrowAmount`: the part of the payment that the contract pulls, base units. */
export interface ContractCall {
  target: Address
  data: Hex
  escrowAmount: bigint
}

/** A call that the forwarder makes, once for each intent id. */
export interface ForwardedCall {
  kind: ForwardedKind
  intentId: Hex
  relay: Relay
  call: ContractCall
}

/** A call that is submitted unchanged. */
export interface SubmittedCall {
  kind: SubmittedKind
  call: Pick<ContractCall, 'target' | 'data'>
}

/** A call as the service relays it. */
export type RelayedCall = ForwardedCall | SubmittedCall

/** Receiver and data of a transaction. */
export interface TransactionCall {
  to: Address
  data: Hex
}

/**
 * Builds the transaction of a relayed call.
 * Example: `{ to: usdc, data: call.data }` for a transfer; `relayPaid` of the forwarder for a paid call of the market.
 */
export function transactionOf(relayed: RelayedCall, { forwarder }: { forwarder: Address }): TransactionCall {
  if (!('relay' in relayed)) return { to: relayed.call.target, data: relayed.call.data }
  return { to: forwarder, data: encodeRelay(relayed) }
}

/**
 * Builds the transaction that returns a payment that another account has settled, or announces its return where the day's limit
 * of prepaid money does not admit it (Chain, "Bound payments").
 * Example: `{ to: forwarder, data: '0x..' }`, a call of `refundPrepaid`.
 */
export function refundTransactionOf(
  payment: Payment,
  { forwarder }: { forwarder: Address },
  functionName: 'refundPrepaid' | 'announceRefund' = 'refundPrepaid',
): TransactionCall {
  const { signature, ...authorization } = payment
  const args = [authorization, signature] as const
  return { to: forwarder, data: encodeFunctionData({ abi: forwarderAbi, functionName, args }) }
}

/**
 * Builds the transaction that pays an announced refund.
 * Example: `refundExecutionOf('0xe1..', { forwarder })` has the data `0xe1dca587e1..`.
 */
export function refundExecutionOf(refundId: Hex, { forwarder }: { forwarder: Address }): TransactionCall {
  return {
    to: forwarder,
    data: encodeFunctionData({ abi: forwarderAbi, functionName: 'executeRefund', args: [refundId] }),
  }
}

/**
 * Returns the id of the announced refund that a transaction of the forwarder pays; null for any other transaction.
 * Example: `decodeRefundExecution('0xe1dca587e1..')` is `0xe1..`.
 */
export function decodeRefundExecution(data: Hex): Hex | null {
  const selector = encodeFunctionData({ abi: forwarderAbi, functionName: 'executeRefund', args: [zeroHash] }).slice(
    0,
    10,
  )
  return data.startsWith(selector) && size(data) === 36 ? slice(data, 4) : null
}

function encodeRelay({ intentId, relay, call: { target, data, escrowAmount } }: ForwardedCall): Hex {
  const abi = forwarderAbi
  switch (relay.mode) {
    case 'paid':
    case 'prepaid': {
      const { signature, ...authorization } = relay.payment
      const functionName = relay.mode === 'paid' ? 'relayPaid' : 'relayPrepaid'
      const args = [intentId, authorization, signature, escrowAmount, target, data] as const
      return encodeFunctionData({ abi, functionName, args })
    }
    case 'bound': {
      const { signature, salt, ...authorization } = relay.payment
      const args = [intentId, authorization, signature, escrowAmount, salt, target, data] as const
      return encodeFunctionData({ abi, functionName: 'relayBound', args })
    }
    case 'signed': {
      const { actor, signature, suffix } = relay
      const args = [intentId, actor, signature, suffix, target, data] as const
      return encodeFunctionData({ abi, functionName: 'relaySigned', args })
    }
    case 'open':
      return encodeFunctionData({ abi, functionName: 'relayOpen', args: [intentId, target, data] })
  }
}
