import { type Address, encodeAbiParameters, type Hex, keccak256, stringToBytes } from 'viem'
import type { ContractCall } from './relay.ts'
import type { SignedMessage, SignedText } from './signed/signed-text.ts'

/** An HTTP request that a payment can name. */
export interface PaidRequest {
  method: string
  /** Path of the request line, `/api` or `/trpc` included, without the query. */
  path: string
  /** The idempotency key. */
  key: string
  /** SHA-256 of the body's bytes as sent, lower-case hex without 0x; of no bytes for a request without a body. */
  bodySha256: string
}

/** The forwarder of a deployment, part of everything that is bound to a call. */
export interface ForwarderPlace {
  chainId: number
  forwarder: Address
}

/**
 * Returns the text that names the request of a payment (Interface, "Corrections after the first build": Consent). It names the
 * deployment too, so that it is invalid elsewhere.
 *
 * Example: `service:pay:8453:0x3063..:POST /api/tasks:0b5f..:85a6..`.
 */
export function paymentRequestText(
  serviceName: string,
  place: ForwarderPlace,
  { method, path, key, bodySha256 }: PaidRequest,
): SignedMessage {
  return `${serviceName}:pay${textOf(place)}:${method} ${path}:${key}:${bodySha256}`
}

/**
 * Hashes the text of a request: the nonce of a plain payment that names its request, and the salt of a bound payment.
 *
 * Example: `requestHashOf('service:pay:8453:0x3063..:POST /api/tasks:0b5f..:85a6..')` is `0xea6f..`.
 */
export function requestHashOf(requestText: string): Hex {
  return keccak256(stringToBytes(requestText))
}

/**
 * The hash keccak256 of `BoundCall(uint256 chainId,address forwarder,address target,bytes32 dataHash,uint256 escrowAmount,bytes32
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
 * Computes the nonce of a payment that is bound to a call, as the forwarder does (Interface, "Bound payments"). It names the
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

/** The suffix for which `relaySigned` rebuilds the tail of a call-bound text. */
export const CALL_SUFFIX = ':call'

/**
 * Returns the tail of a signed text that is bound to the call of a free write (Interface, "Bound payments"). It follows the tail
 * of the round, if any.
 *
 * Example: `callTailOf('0x1234..', { chainId: 8453, forwarder })` is `:call:8453:0x3063..:0x248a..`.
 */
export function callTailOf(data: Hex, place: ForwarderPlace): string {
  return `${CALL_SUFFIX}${textOf(place)}:${keccak256(data)}`
}

/** A switch of a wallet that accepts bound calls alone. `validBefore`: Unix seconds. */
export interface BoundOnlySwitch {
  wallet: Address
  isOn: boolean
  /** The wallet's counter: each is used once. */
  counter: bigint
  validBefore: bigint
}

/**
 * Returns the text that a wallet signs to set its switch (IBoundOnly.setBoundOnlyFor), without the name of the service.
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
 * Returns the text that permits the upload of files to a task. No contract accepts it.
 * Example: `service:upload:8453:0x3063..:0x9f9f..:0xabab..`.
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
