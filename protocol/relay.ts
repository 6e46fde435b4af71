import { type Address, encodeFunctionData, type Hex, size, slice, zeroHash } from 'viem'
import { forwarderAbi } from './abi.ts'

/**
 * Kinds of calls that the forwarder makes, each proven by its event `IntentRelayed`: of the market, and of a registry, the
 * registrar or a hook of the deployment.
 */
export const forwardedKinds = ['market', 'registry'] as const
export type ForwardedKind = (typeof forwardedKinds)[number]

/**
 * Kinds of calls that any account may submit as they are, each proven by the event of the contract that it calls: a transfer
 * of USDC that its owner authorized, a claim or a withdrawal of tokens that its owner signed, and a switch of a wallet at the
 * forwarder that the wallet signed.
 */
export const submittedKinds = ['transfer', 'claim', 'switch'] as const
export type SubmittedKind = (typeof submittedKinds)[number]

export type CallKind = ForwardedKind | SubmittedKind

/** Says whether the forwarder makes calls of a kind. Example: `isForwarded('transfer')` is false. */
export function isForwarded(kind: CallKind): kind is ForwardedKind {
  return kind === 'market' || kind === 'registry'
}

/**
 * Modes that an entry offers: paid by an authorization of USDC, free in the name of a signer, or open to any caller.
 */
export const entryModes = ['paid', 'signed', 'open'] as const
export type EntryMode = (typeof entryModes)[number]

/**
 * The same, with the modes of a payment that another account has settled already, and of one that pays for this call alone
 * (`RelayMode` of the contracts).
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
  /** Absent: a plain payment, which any account may submit. Else its nonce is made of the call and this salt. */
  salt?: Hex
}

/** A payment for one call alone, which only the forwarder can submit. */
export interface BoundPayment extends Payment {
  salt: Hex
}

/** Says whether a payment is bound to its call. */
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

/** A call that the forwarder makes, once for an id of an intent. */
export interface ForwardedCall {
  kind: ForwardedKind
  intentId: Hex
  relay: Relay
  call: ContractCall
}

/** A call that is submitted as it is. */
export interface SubmittedCall {
  kind: SubmittedKind
  call: Pick<ContractCall, 'target' | 'data'>
}

export type RelayedCall = ForwardedCall | SubmittedCall

/** Receiver and data of a transaction. */
export interface TransactionCall {
  to: Address
  data: Hex
}

/**
 * The transaction of a relayed call.
 * Example: of a transfer `{ to: usdc, data: call.data }`; of a paid call of the market, `relayPaid` of the forwarder.
 */
export function transactionOf(relayed: RelayedCall, { forwarder }: { forwarder: Address }): TransactionCall {
  if (!('relay' in relayed)) return { to: relayed.call.target, data: relayed.call.data }
  return { to: forwarder, data: encodeRelay(relayed) }
}

/**
 * The transaction that returns a payment that another account has settled, or announces its return where the day's limit of
 * prepaid money does not admit it (Chain, "Bound payments").
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

/** The transaction that pays an announced refund. */
export function refundExecutionOf(refundId: Hex, { forwarder }: { forwarder: Address }): TransactionCall {
  return {
    to: forwarder,
    data: encodeFunctionData({ abi: forwarderAbi, functionName: 'executeRefund', args: [refundId] }),
  }
}

/** Returns the id of the announced refund that a transaction of the forwarder pays; null: it does something else. */
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
