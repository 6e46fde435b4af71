import type { PaymentRequirements } from '@x402/core/types'
import { usdcAbi } from '../../abis/usdc.ts'
import type { Chain } from '../chain/chain.ts'
import type { Deployment } from '../chain/deployment.ts'
import type { Detail } from '../domain/details.ts'
import {
  authorizationTypedData,
  type PaymentAuthorization,
  type TransferAuthorization,
  toTransfer,
} from './authorization.ts'
import type { PresentedPayment } from './decode.ts'

/** The authorization must stay valid so long that it can be mined, and not longer than the exchange takes; seconds. */
const LEAST_VALIDITY_SECONDS = 30n
export const MOST_VALIDITY_SECONDS = 600n

/** A reason to refuse a payment: the sentence for the caller, and the condition where it has a name. */
export interface PaymentProblem {
  message: string
  detail?: Detail
}

/** The problem of an authorization's window, with the field that it is about. */
export interface WindowProblem extends PaymentProblem {
  detail: 'clock_ahead' | 'window_too_short' | 'window_too_long'
  field: 'validAfter' | 'validBefore'
}

/** What was found out about a presented payment. `used`: genuine, but its nonce is used or cancelled on chain. */
export type Verification = { verdict: 'valid' } | { verdict: 'invalid'; problem: PaymentProblem } | { verdict: 'used' }

export interface VerifyPorts {
  chain: Chain
  deployment: Deployment
}

/**
 * Checks a payment the way the chain will: its window against the chain head's clock (the library reads the host's),
 * its signature (key or ERC-1271), the payer's balance, and that its nonce is unused. What it pays for is simulated
 * elsewhere, as one call. Spec, "Authentication" 2; Interface, "Payments".
 *
 * @param now time of the chain head, Unix seconds
 * @throws ChainUnavailable
 */
export async function verifyPayment(
  { chain, deployment }: VerifyPorts,
  presented: PresentedPayment,
  { requirement, now }: { requirement: PaymentRequirements; now: bigint },
): Promise<Verification> {
  const payment = presented.authorization
  const problem = findTermsProblem(presented, { deployment, requirement, now })
  if (problem !== null) return await explainUnfit({ chain, deployment }, presented, problem)
  const [isGenuine, balance, isUsed] = await Promise.all([
    isSignedByPayer({ chain, deployment }, payment),
    chain.usdcBalance(payment.from),
    isAuthorizationUsed({ chain, deployment }, payment),
  ])
  if (!isGenuine)
    return {
      verdict: 'invalid',
      problem: { message: 'The signature is not the payer’s over this authorization.', detail: 'signature_invalid' },
    }
  if (isUsed) return { verdict: 'used' }
  if (balance < payment.value) {
    // It may be missing because this very payment was settled between the two questions.
    if (await isAuthorizationUsed({ chain, deployment }, payment)) return { verdict: 'used' }
    const message = `The payer holds ${balance} USDC base units, ${payment.value} are needed.`
    return { verdict: 'invalid', problem: { message, detail: 'balance_too_low' } }
  }
  return { verdict: 'valid' }
}

/**
 * A payment that does not fit may have been settled by another account all the same: then the forwarder holds its
 * money.
 */
async function explainUnfit(
  ports: VerifyPorts,
  presented: PresentedPayment,
  problem: PaymentProblem,
): Promise<Verification> {
  const payment = presented.authorization
  const isOurs = presented.to === ports.deployment.forwarder && (await isAuthorizationUsed(ports, payment))
  return isOurs && (await isSignedByPayer(ports, payment)) ? { verdict: 'used' } : { verdict: 'invalid', problem }
}

/** Whether the payer signed this authorization towards the forwarder. */
export function isSignedByPayer(ports: VerifyPorts, payment: PaymentAuthorization): Promise<boolean> {
  return isSignedByOwner(ports, toTransfer(ports.deployment, payment))
}

/** Whether the owner of the money signed this authorization: as USDC checks it. @throws ChainUnavailable */
export function isSignedByOwner({ chain, deployment }: VerifyPorts, transfer: TransferAuthorization): Promise<boolean> {
  return chain.verifyTypedData({
    address: transfer.from,
    typedData: authorizationTypedData(deployment, transfer),
    signature: transfer.signature,
  })
}

/** Whether the authorization's nonce is used or cancelled on chain: now, or after a block. */
export function isAuthorizationUsed(
  { chain, deployment }: VerifyPorts,
  payment: PaymentAuthorization,
  { blockNumber }: { blockNumber?: bigint } = {},
): Promise<boolean> {
  return chain.readContract({
    address: deployment.usdc,
    abi: usdcAbi,
    functionName: 'authorizationState',
    args: [payment.from, payment.nonce],
    ...(blockNumber !== undefined && { blockNumber }),
  })
}

function findTermsProblem(
  { authorization, to }: PresentedPayment,
  { deployment, requirement, now }: { deployment: Deployment; requirement: PaymentRequirements; now: bigint },
): PaymentProblem | null {
  const { value } = authorization
  if (to !== deployment.forwarder) return { message: `The authorization must pay to ${requirement.payTo}.` }
  if (value !== BigInt(requirement.amount)) {
    return { message: `The authorization must be over exactly ${requirement.amount}.` }
  }
  return findWindowProblem(authorization, now)
}

/**
 * What is wrong with the window of an authorization: it must be valid now, and so long that it can be mined.
 * @param now time of the chain head, Unix seconds
 */
export function findWindowProblem(
  { validAfter, validBefore }: Pick<PaymentAuthorization, 'validAfter' | 'validBefore'>,
  now: bigint,
): WindowProblem | null {
  if (validAfter >= now) {
    return {
      detail: 'clock_ahead',
      field: 'validAfter',
      message: `The authorization is not valid yet: its validAfter must be before ${now}.`,
    }
  }
  if (validBefore < now + LEAST_VALIDITY_SECONDS) {
    const earliest = now + LEAST_VALIDITY_SECONDS
    return {
      detail: 'window_too_short',
      field: 'validBefore',
      message: `The authorization ends too soon: its validBefore must be ${earliest} or later.`,
    }
  }
  if (validBefore > now + MOST_VALIDITY_SECONDS) {
    const latest = now + MOST_VALIDITY_SECONDS
    return {
      detail: 'window_too_long',
      field: 'validBefore',
      message: `The authorization is valid too long: its validBefore must be ${latest} or earlier.`,
    }
  }
  return null
}
