import { type Address, encodeAbiParameters, type Hex, keccak256, stringToBytes } from 'viem'
import type { ContractCall } from './relay.ts'
import type { SignedMessage, SignedText } from './signed/signed-text.ts'

/** One HTTP request that a payment can name. */
export interface PaidRequest {
  method: string
  /** As in the request line, `/api` or `/trpc` included, without the query. */
  path: string
  /** The idempotency key. */
  key: string
  /** SHA-256 of the body's bytes as sent, lower-case hex without 0x; of no bytes for a request without a body. */
  bodySha256: string
}

/** The forwarder of a deployment, which is part of everything that is bound to a call. */
export interface ForwarderPlace {
  chainId: number
  forwarder: Address
}

/**
 * The text by which a payer names the request that a payment is for (Interface, "Corrections after the first build":
 * Consent). It names the deployment too, so that it means nothing elsewhere.
 */
export function paymentRequestText(
  serviceName: string,
  place: ForwarderPlace,
  { method, path, key, bodySha256 }: PaidRequest,
): SignedMessage {
  return `${serviceName}:pay${textOf(place)}:${method} ${path}:${key}:${bodySha256}`
}

/**
 * The hash of the text of a request: the nonce of a plain payment that names its request, and the salt of a bound payment.
 */
export function requestHashOf(requestText: string): Hex {
  return keccak256(stringToBytes(requestText))
}

/**
 * keccak256 of `BoundCall(uint256 chainId,address forwarder,address target,bytes32 dataHash,uint256 escrowAmount,bytes32
 * salt)`.
 */
const BOUND_CALL_TYPE_HASH = '0x0448d97b9973b7881c42e082a2aaba05e9d5b42a71186793bdca950de2194350'

const boundCallFields = [
  { type: 'bytes32' },
  { type: 'uint256' },
  { type: 'address' },
  { type: 'address' },
  { type: 'bytes32' },
  { type: 'uint256' },
  { type: 'bytes32' },
] as const

/**
 * The nonce of a payment that is bound to a call, as the forwarder computes it (Interface, "Bound payments"). It names the
 * call, and by the salt the request.
 *
 * Example: `boundNonceOf(call, { chainId: 8453, forwarder, salt: requestHashOf(text) })` is `0x582b..`.
 */
export function boundNonceOf(
  { target, data, escrowAmount }: ContractCall,
  { chainId, forwarder, salt }: ForwarderPlace & { salt: Hex },
): Hex {
  return keccak256(
    encodeAbiParameters(boundCallFields, [
      BOUND_CALL_TYPE_HASH,
      BigInt(chainId),
      forwarder,
      target,
      keccak256(data),
      escrowAmount,
      salt,
    ]),
  )
}

/** The suffix by which `relaySigned` is asked to rebuild the tail of a call-bound text. */
export const CALL_SUFFIX = ':call'

/**
 * The tail of a signed text that is bound to the call of a free write (Interface, "Bound payments"). It follows the tail of
 * the round, where there is one.
 *
 * Example: `callTailOf('0x12..', { chainId: 8453, forwarder })` is `:call:8453:0x30..:0xd4fd..`.
 */
export function callTailOf(data: Hex, place: ForwarderPlace): string {
  return `${CALL_SUFFIX}${textOf(place)}:${keccak256(data)}`
}

/** A switch of a wallet that takes bound calls alone. `validBefore`: Unix seconds. */
export interface BoundOnlySwitch {
  wallet: Address
  isOn: boolean
  /** The wallet's counter: each is used once. */
  counter: bigint
  validBefore: bigint
}

/**
 * The text that a wallet signs to have its switch set (IBoundOnly.setBoundOnlyFor), after the name of the service.
 * Example: `bound-only:on:8453:0x3063..:0x976e..:0:1800000000`.
 */
export function boundOnlyText(
  place: ForwarderPlace,
  { wallet, isOn, counter, validBefore }: BoundOnlySwitch,
): SignedText {
  const state = isOn ? 'on' : 'off'
  return `bound-only:${state}${textOf(place)}:${wallet.toLowerCase()}:${counter}:${validBefore}`
}

/**
 * The text that allows the upload of files to a task, and that no contract accepts.
 * Example: `service:upload:8453:0x3063..:0xabab..:0x15d3..`.
 */
export function uploadText(
  serviceName: string,
  place: ForwarderPlace,
  { taskId, worker }: { taskId: Hex; worker: Address },
): SignedMessage {
  return `${serviceName}:upload${textOf(place)}:${taskId.toLowerCase()}:${worker.toLowerCase()}`
}

function textOf({ chainId, forwarder }: ForwarderPlace) {
  return `:${chainId}:${forwarder.toLowerCase()}` as const
}
