import { encodePaymentRequiredHeader } from '@x402/core/http'
import type { Network, PaymentRequired, PaymentRequirements } from '@x402/core/types'
import { getAddress } from 'viem'
import { transferTypedData } from '../../protocol/signed/transfer-authorization.ts'
import { CHALLENGE_SECONDS } from '../../protocol/windows.ts'
import type { Deployment } from '../chain/deployment.ts'

/** A 402 challenge, the same in the header (x402 libraries) and in the body (plain HTTP clients). */
export interface Challenge {
  required: PaymentRequired
  /** The base64 JSON of the `PAYMENT-REQUIRED` header. */
  header: string
}

/** The texts of a challenge besides the requirement. */
export interface ChallengeText {
  /** The error in one sentence. */
  error: string
  /** The URL of the paid request. */
  url: string
  description: string
  extensions?: Record<string, unknown>
}

/**
 * Returns the one accepted payment: `amount` base units of USDC to the forwarder. It has exactly seven keys, the same
 * in both rounds.
 */
export function paymentRequirement(deployment: Deployment, amount: bigint): PaymentRequirements {
  return {
    scheme: 'exact',
    network: networkOf(deployment),
    asset: getAddress(deployment.usdc),
    amount: amount.toString(),
    payTo: getAddress(deployment.forwarder),
    maxTimeoutSeconds: CHALLENGE_SECONDS,
    extra: { ...deployment.usdcDomain, eip712: transferTypedData(deployment) },
  }
}

/** Creates the 402 answer. */
export function createChallenge(
  requirement: PaymentRequirements,
  { error, url, description, extensions }: ChallengeText,
): Challenge {
  const required: PaymentRequired = {
    x402Version: 2,
    error,
    resource: { url, description, mimeType: 'application/json' },
    accepts: [requirement],
    ...(extensions !== undefined && { extensions }),
  }
  return { required, header: encodePaymentRequiredHeader(required) }
}

/**
 * Announces bound payments to other clients (Interface, "Bound payments"), in at most 100 bytes; returns `{}` without
 * bound payments in the deployment.
 */
export function boundCallExtension({ bound }: Pick<Deployment, 'bound'>): Record<string, unknown> {
  if (bound !== true) return {}
  return { 'bound-call': { primaryType: 'ReceiveWithAuthorization', salt: 'payload.bound.salt' } }
}

/** Returns the CAIP-2 name of the chain. Example: `networkOf({ chainId: 8453 })` returns `'eip155:8453'`. */
export function networkOf({ chainId }: Pick<Deployment, 'chainId'>): Network {
  return `eip155:${chainId}`
}
