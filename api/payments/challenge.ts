import { encodePaymentRequiredHeader } from '@x402/core/http'
import type { Network, PaymentRequired, PaymentRequirements } from '@x402/core/types'
import { getAddress } from 'viem'
import { transferTypedData } from '../../protocol/signed/transfer-authorization.ts'
import { CHALLENGE_SECONDS } from '../../protocol/windows.ts'
import type { Deployment } from '../chain/deployment.ts'

/**
 * A payment challenge (the content of a 402 answer). The answer contains it twice: in an HTTP header for x402
 * libraries, and in the body for other HTTP clients.
 */
export interface Challenge {
  required: PaymentRequired
  /** The base64 JSON of the `PAYMENT-REQUIRED` header. */
  header: string
}

/** The parts of a payment challenge (the content of a 402 answer), without the payment requirement. */
export interface ChallengeText {
  /** The reason for the challenge, one sentence. */
  error: string
  /** The URL of the paid request. */
  url: string
  description: string
  extensions?: Record<string, unknown>
}

/**
 * Returns the payment requirement: `amount` base units of USDC, paid to the forwarder. The requirement must always have
 * the seven keys of the returned object and no further key, because a client's payment repeats the whole requirement.
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

/** Creates the content of a 402 answer, which requests a payment. */
export function createChallenge(
  requirement: PaymentRequirements,
  { error, url, description, extensions }: ChallengeText,
): Challenge {
  const paymentRequired: PaymentRequired = {
    x402Version: 2,
    error,
    resource: { url, description, mimeType: 'application/json' },
    accepts: [requirement],
    ...(extensions !== undefined && { extensions }),
  }
  return { required: paymentRequired, header: encodePaymentRequiredHeader(paymentRequired) }
}

/**
 * Returns the extension that announces bound payments to clients, at most 100 bytes (interface specification, "Bound
 * payments"). Returns `{}` if the deployment accepts no bound payments.
 */
export function boundCallExtension({ bound }: Pick<Deployment, 'bound'>): Record<string, unknown> {
  if (bound !== true) return {}
  return { 'bound-call': { primaryType: 'ReceiveWithAuthorization', salt: 'payload.bound.salt' } }
}

/** Returns the chain's name by CAIP-2. Example: `networkOf({ chainId: 8453 })` returns `'eip155:8453'`. */
export function networkOf({ chainId }: Pick<Deployment, 'chainId'>): Network {
  return `eip155:${chainId}`
}
