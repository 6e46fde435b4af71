import { type Address, encodeAbiParameters, type Hex, keccak256, stringToBytes } from 'viem'
import type { ContractCall } from './relay.ts'
import type { SignedMessage, SignedText } from './signed/signed-text.ts'

/** An HTTP request for which a payment is made. The payer's signature can bind the payment to the request. */
export interface PaidRequest {
  method: string
  /** Path of the request. It begins with `/api` or `/trpc`, and has no query string. */
  path: string
  /** The idempotency key of the request. */
  key: string
  /**
   * SHA-256 of the request body's bytes, in lower-case hex without 0x. If the request has no body, `bodySha256` is the
   * SHA-256 of the empty byte string.
   */
  bodySha256: string
}

/**
 * The chain id and the forwarder's address of a deployment. Every call-bound message and every bound payment contains
 * both.
 */
export interface ForwarderPlace {
  chainId: number
  forwarder: Address
}

/**
 * Returns the message that identifies the HTTP request of a payment (interface specification, "Corrections after the
 * first build": Consent). The message is valid at one deployment only, because it contains the chain id and the
 * forwarder.
 *
 * Example: `service:pay:8453:0x3063..:POST /api/tasks:0b5f..:85a6..`. The parts are the service, the verb `pay`, the
 * chain id, the forwarder, method and path, the idempotency key, and the SHA-256 of the body.
 */
export function paymentRequestText(
  serviceName: string,
  place: ForwarderPlace,
  { method, path, key, bodySha256 }: PaidRequest,
): SignedMessage {
  return `${serviceName}:pay${textOf(place)}:${method} ${path}:${key}:${bodySha256}`
}

/**
 * Returns the keccak256 hash of a message from `paymentRequestText`. In a plain payment, the hash is the payment's
 * nonce. In a bound payment, the hash is the salt from which `boundNonceOf` computes the nonce.
 *
 * Example: `requestHashOf('service:pay:8453:0x3063..:POST /api/tasks:0b5f..:85a6..')` is `0xea6f..`.
 */
export function requestHashOf(requestText: string): Hex {
  return keccak256(stringToBytes(requestText))
}

/**
 * keccak256 of `BoundCall(uint256 chainId,address forwarder,address target,bytes32 dataHash,uint256
 * escrowAmount,bytes32 salt)`.
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
 * Computes the nonce of a payment that is valid for one call only (interface specification, "Bound payments"). The
 * forwarder computes the same nonce.
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

/**
 * The argument `suffix` of the forwarder's function `relaySigned`, if the signed message is valid for one call only. For
 * this value, the forwarder computes the real end of the message (see `callTailOf`) from the call, and checks the
 * signature of the whole message.
 */
export const CALL_SUFFIX = ':call'

/**
 * Returns the ending of a signed message that is valid for one call only (interface specification, "Bound payments").
 * If the message contains a claim round, the round precedes this ending.
 *
 * Example: `callTailOf('0x1234..', { chainId: 8453, forwarder })` is `:call:8453:0x3063..:0x248a..`. The last part is
 * keccak256 of `data`.
 */
export function callTailOf(data: Hex, place: ForwarderPlace): string {
  return `${CALL_SUFFIX}${textOf(place)}:${keccak256(data)}`
}

/**
 * A signed change of a wallet's bound-only setting. `isOn`: the new setting. `validBefore`: the end of the signature's
 * validity in Unix seconds. While the setting is on, the forwarder accepts only bound payments and call-bound messages
 * from the wallet.
 */
export interface BoundOnlySwitch {
  wallet: Address
  isOn: boolean
  /**
   * The number of changes of the wallet's setting so far, which the forwarder counts. Each change increases it, so that
   * the signature can be used only once.
   */
  counter: bigint
  validBefore: bigint
}

/**
 * Returns the message that a wallet signs to change its bound-only setting. The text does not contain the prefix
 * `<service>:`.
 * Example: `bound-only:on:8453:0x3063..:0x976e..:0:1800000000`. The parts after `on` are the chain id, the forwarder,
 * the wallet, the counter and the end of validity in Unix seconds.
 */
export function boundOnlyText(
  place: ForwarderPlace,
  { wallet, isOn, counter, validBefore }: BoundOnlySwitch,
): SignedText {
  const state = isOn ? 'on' : 'off'
  return `bound-only:${state}${textOf(place)}:${wallet.toLowerCase()}:${counter}:${validBefore}`
}

/**
 * Returns the message by which a worker permits the upload of files to a task. Only the service checks the signature.
 * Example: `service:upload:8453:0x3063..:0x9f9f..:0xabab..`. The last two parts are the task id and the worker.
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
