import { encodePaymentRequiredHeader } from '@x402/core/http'
import type { Network, PaymentRequired, PaymentRequirements } from '@x402/core/types'
import { getAddress } from 'viem'
import { transferTypedData } from '../../protocol/signed/transfer-authorization.ts'
import { CHALLENGE_SECONDS } from '../../protocol/windows.ts'
import type { Deployment } from '../chain/deployment.ts'

/** A 402: the same challenge in the header (x402 libraries) and in the body (plain HTTP clients). */
export interface Challenge {
  required: PaymentRequired
  /** Base64 JSON for `PAYMENT-REQUIRED`. */
  header: string
}

/** What a challenge says beside what to pay. */
export interface ChallengeText {
  /** One sentence. */
  error: string
  /** Where the paid request goes. */
  url: string
  description: string
  extensions?: Record<string, unknown>
}

/** The one way to pay: `amount` base units of USDC to the forwarder. Exactly seven keys, the same in both rounds. */
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

/** The answer that asks for a payment. */
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
 * Announces bound payments to clients of other people (Interface, "Bound payments"); none where the deployment takes none. At
 * most 100 bytes.
 */
export function boundCallExtension({ bound }: Pick<Deployment, 'bound'>): Record<string, unknown> {
  if (bound !== true) return {}
  return { 'bound-call': { primaryType: 'ReceiveWithAuthorization', salt: 'payload.bound.salt' } }
}

/** CAIP-2 name of the chain, such as `eip155:8453`. */
export function networkOf({ chainId }: Pick<Deployment, 'chainId'>): Network {
  return `eip155:${chainId}`
}
