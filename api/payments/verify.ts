import type { PaymentRequirements } from '@x402/core/types'
import { usdcAbi } from '../../abis/usdc.ts'
import type { Detail } from '../../protocol/details.ts'
import { isBound } from '../../protocol/relay.ts'
import { type Clocks, ends, judgeBeginning, judgeEnd, type WindowProblem } from '../../protocol/windows.ts'
import type { Chain } from '../chain/chain.ts'
import type { Deployment } from '../chain/deployment.ts'
import { NOT_DEPLOYED, takeSignature } from '../chain/take-signature.ts'
import { authorizationTypedData, type PaymentAuthorization, toTransfer } from './authorization.ts'
import type { PresentedPayment } from './decode.ts'

/** The reason to refuse a payment: a sentence for the caller, and a detail code. */
export interface PaymentProblem {
  message: string
  detail: Detail
}

/** A problem of an authorization's validity period. `field` is the field that causes the problem. */
export interface AuthorizationWindowProblem extends WindowProblem {
  field: 'validAfter' | 'validBefore'
}

/**
 * The result of the check of a presented payment. `used`: the payment is genuine, but its nonce is already used or
 * cancelled on chain.
 */
export type Verification = { verdict: 'valid' } | { verdict: 'invalid'; problem: PaymentProblem } | { verdict: 'used' }

export interface VerifyPorts {
  chain: Chain
  deployment: Deployment
}

/**
 * Verifies a payment: the receiver and amount, the validity period, the signature (by key or ERC-1271), the payer's
 * balance, and the nonce. See the specification, "Authentication" 2, and the interface specification, "Payments".
 * @throws ChainUnavailable
 */
export async function verifyPayment(
  { chain, deployment }: VerifyPorts,
  presentedPayment: PresentedPayment,
  { requirement, clocks }: { requirement: PaymentRequirements; clocks: Clocks },
): Promise<Verification> {
  const payment = presentedPayment.authorization
  const problem = findTermsProblem(presentedPayment, { deployment, requirement, clocks })
  if (problem !== null) return await explainUnfit({ chain, deployment }, presentedPayment, problem)
  if (presentedPayment.isWrapped && !(await chain.hasCode(payment.from)))
    return { verdict: 'invalid', problem: { message: NOT_DEPLOYED, detail: 'wallet_not_deployed' } }
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
    // The balance may be low because this payment settled between the two reads.
    if (await isAuthorizationUsed({ chain, deployment }, payment)) return { verdict: 'used' }
    const message = `The payer holds ${balance} USDC base units, ${payment.value} are needed.`
    return { verdict: 'invalid', problem: { message, detail: 'balance_too_low' } }
  }
  return { verdict: 'valid' }
}

/**
 * Returns the result for a payment that does not fit the requirement. If the payer signed a payment to the forwarder
 * and the nonce of the payment is already used, the result is `used`: the forwarder may already hold the money.
 * Otherwise the result is `problem`.
 */
async function explainUnfit(
  ports: VerifyPorts,
  presentedPayment: PresentedPayment,
  problem: PaymentProblem,
): Promise<Verification> {
  const payment = presentedPayment.authorization
  const isOurs = presentedPayment.to === ports.deployment.forwarder && (await isAuthorizationUsed(ports, payment))
  return isOurs && (await isSignedByPayer(ports, payment)) ? { verdict: 'used' } : { verdict: 'invalid', problem }
}

/**
 * Returns true if the payer signed this authorization to pay the forwarder. The signature is checked by the rules of
 * the USDC contract.
 * @throws ChainUnavailable
 */
export async function isSignedByPayer(
  { chain, deployment }: VerifyPorts,
  payment: PaymentAuthorization,
): Promise<boolean> {
  const typedData = authorizationTypedData(deployment, toTransfer(deployment, payment))
  const { problem } = await takeSignature(chain, { address: payment.from, typedData, signature: payment.signature })
  return problem === undefined
}

/**
 * Returns true if the authorization's nonce is used or cancelled on chain. The state is that of the given block, by
 * default the latest block.
 */
export function isAuthorizationUsed(
  { chain, deployment }: VerifyPorts,
  payment: Pick<PaymentAuthorization, 'from' | 'nonce'>,
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
  { deployment, requirement, clocks }: { deployment: Deployment; requirement: PaymentRequirements; clocks: Clocks },
): PaymentProblem | null {
  const { value } = authorization
  if (isBound(authorization) && deployment.bound !== true) {
    const message = 'This deployment takes no bound payments: sign a plain authorization, without `payload.bound`.'
    return { message, detail: 'no_bound_calls' }
  }
  if (to !== deployment.forwarder) {
    return { message: `The authorization must pay to ${requirement.payTo}.`, detail: 'payment_differs' }
  }
  if (value !== BigInt(requirement.amount)) {
    return { message: `The authorization must be over exactly ${requirement.amount}.`, detail: 'payment_differs' }
  }
  return findWindowProblem(authorization, clocks)
}

/**
 * Returns the problem of an authorization's validity period, or null if the period is good. The authorization must be
 * valid now and remain valid long enough to be mined.
 */
export function findWindowProblem(
  { validAfter, validBefore }: Pick<PaymentAuthorization, 'validAfter' | 'validBefore'>,
  clocks: Clocks,
): AuthorizationWindowProblem | null {
  const beginProblem = judgeBeginning(validAfter, { clocks, field: 'validAfter' })
  if (beginProblem !== null) return { ...beginProblem, field: 'validAfter' }
  const end = judgeEnd(ends.payment, validBefore, { clocks, field: 'validBefore' })
  return end && { ...end, field: 'validBefore' }
}
