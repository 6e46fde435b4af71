import { type Address, encodeFunctionData, type Hex, size, slice, zeroHash } from 'viem'
import { forwarderAbi } from './abi.ts'

/**
 * Kinds of calls that the forwarder makes. `market`: a call of the market. `registry`: a call of a registry, the
 * registrar or a hook of the deployment. The forwarder's event `IntentRelayed` proves the call.
 */
export const forwardedKinds = ['market', 'registry'] as const
export type ForwardedKind = (typeof forwardedKinds)[number]

/**
 * Kinds of calls that the service sends directly to the called contract. Any account may send the same call. An event
 * of the called contract proves the call. `transfer`: a transfer of USDC that the owner authorized. `claim`: a claim or
 * withdrawal of tokens that the owner signed. `switch`: a signed change of a wallet's bound-only setting.
 */
export const submittedKinds = ['transfer', 'claim', 'switch'] as const
export type SubmittedKind = (typeof submittedKinds)[number]

/** The kind of a relayed call. */
export type CallKind = ForwardedKind | SubmittedKind

/** Returns whether the forwarder makes calls of this kind. Example: `isForwarded('transfer')` is false. */
export function isForwarded(kind: CallKind): kind is ForwardedKind {
  return kind === 'market' || kind === 'registry'
}

/**
 * Ways to authorize an operation. `paid`: the actor pays with an authorization of USDC. `signed`: the actor signs a
 * message, and the call is free. `open`: any caller may send the call for free.
 */
export const entryModes = ['paid', 'signed', 'open'] as const
export type EntryMode = (typeof entryModes)[number]

/**
 * Modes of a call that the forwarder makes (`RelayMode` of the contracts): the modes in `entryModes`, and also
 * `prepaid` and `bound`. `prepaid`: an account other than the forwarder has already submitted the payment's
 * authorization. `bound`: the payment is valid for this call only.
 */
export const relayModes = [...entryModes, 'prepaid', 'bound'] as const
export type RelayMode = (typeof relayModes)[number]

/**
 * A signed authorization (ERC-3009) of a USDC payment to the forwarder. `value` is in base units, times are Unix
 * seconds.
 */
export interface Payment {
  from: Address
  value: bigint
  validAfter: bigint
  validBefore: bigint
  nonce: Hex
  signature: Hex
  /**
   * Salt of a bound payment; absent for a plain payment. The nonce of a bound payment is computed from the call and the
   * salt.
   */
  salt?: Hex
}

/** A payment that is valid for one call only. Only the forwarder can submit the payment's authorization. */
export interface BoundPayment extends Payment {
  salt: Hex
}

/** Returns whether a payment is bound to its call. Example: `isBound({ ...payment, salt: '0x01..' })` is true. */
export function isBound(payment: Payment): payment is BoundPayment {
  return payment.salt !== undefined
}

/**
 * The mode of a forwarded call, with a payment or a signature that proves the actor. `suffix` is the ending of the
 * signed message.
 */
export type Relay =
  | { mode: 'paid' | 'prepaid'; payment: Payment }
  | { mode: 'bound'; payment: BoundPayment }
  | { mode: 'signed'; actor: Address; signature: Hex; suffix: string }
  | { mode: 'open' }

/** A call of a contract. `escrowAmount` is the part of the payment that the called contract takes, USDC base units. */
export interface ContractCall {
  target: Address
  data: Hex
  escrowAmount: bigint
}

/** A call that the forwarder makes, at most once for each intent id. */
export interface ForwardedCall {
  kind: ForwardedKind
  intentId: Hex
  relay: Relay
  call: ContractCall
}

/** A call that goes directly to the called contract, not through the forwarder. */
export interface SubmittedCall {
  kind: SubmittedKind
  call: Pick<ContractCall, 'target' | 'data'>
}

/** A call that the service relays: through the forwarder, or directly to the called contract. */
export type RelayedCall = ForwardedCall | SubmittedCall

/** The called contract and the call data of a transaction. */
export interface TransactionCall {
  to: Address
  data: Hex
}

/**
 * Builds the transaction of a relayed call. A forwarded call goes to the forwarder. Any other call goes directly to the
 * target.
 * Example: `{ to: usdc, data: call.data }` for a transfer, and a call of the forwarder's `relayPaid` for a paid call of
 * the market.
 */
export function transactionOf(relayedCall: RelayedCall, { forwarder }: { forwarder: Address }): TransactionCall {
  if (!('relay' in relayedCall)) return { to: relayedCall.call.target, data: relayedCall.call.data }
  return { to: forwarder, data: encodeRelay(relayedCall) }
}

/**
 * Builds the transaction that returns a prepaid payment: a payment whose authorization another account has submitted.
 * Example: `{ to: forwarder, data: '0x..' }`, a call of `refundPrepaid`.
 * @param functionName `refundPrepaid` returns the payment at once, but only within the forwarder's daily limit.
 * `announceRefund` has no limit, but only announces the refund. 24 hours after the announcement, any account can
 * execute the refund.
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
 * Builds the transaction that pays an announced refund of prepaid money.
 * Example: the data of `refundExecutionOf('0xe1..', { forwarder })` is `0xe1dca587e1..`: the selector and the refund
 * id.
 */
export function refundExecutionOf(refundId: Hex, { forwarder }: { forwarder: Address }): TransactionCall {
  return {
    to: forwarder,
    data: encodeFunctionData({ abi: forwarderAbi, functionName: 'executeRefund', args: [refundId] }),
  }
}

/**
 * Returns the id of the announced refund that a transaction to the forwarder pays; null for any other transaction.
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
