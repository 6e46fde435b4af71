import type { Deployment } from '../deployment/deployment.ts'
import { decodePaymentRequired, type PaymentRequired, type PaymentRequirements } from './x402.ts'

/** A payment challenge whose receiver, asset and chain equal those of the deployment. */
export interface Challenge {
  required: PaymentRequired
  accepted: PaymentRequirements
  /** Amount, in base units of USDC. */
  amount: bigint
}

/**
 * The result of parsing a challenge. The client uses only the challenge's amount, and the parts that the client must
 * send back to the service.
 */
export type ReadChallenge = { ok: true; challenge: Challenge } | { ok: false; problem: string }

/**
 * Parses the challenge header of a 402 answer. Checks that receiver, asset and chain of the challenge are those of the
 * deployment.
 */
export function readChallenge(header: string | null, deployment: Deployment): ReadChallenge {
  if (header === null) return { ok: false, problem: 'The answer 402 has no challenge.' }
  const requirements = decode(header)
  if (requirements === null) return { ok: false, problem: 'The challenge cannot be read.' }
  const exactTerms = requirements.accepts.find(({ scheme }) => scheme === 'exact')
  if (exactTerms === undefined) return { ok: false, problem: 'The server takes no payment of scheme "exact".' }
  const problem = compare(exactTerms, deployment)
  if (problem !== null) return { ok: false, problem }
  return { ok: true, challenge: { required: requirements, accepted: exactTerms, amount: BigInt(exactTerms.amount) } }
}

function decode(header: string): PaymentRequired | null {
  try {
    const requirements = decodePaymentRequired(header)
    const isReadable =
      requirements.x402Version === 2 &&
      Array.isArray(requirements.accepts) &&
      requirements.accepts.every((one: unknown) => typeof one === 'object' && one !== null)
    return isReadable ? requirements : null
  } catch {
    return null
  }
}

function compare({ network, asset, payTo, amount }: PaymentRequirements, deployment: Deployment): string | null {
  const expectedTerms = { network: `eip155:${deployment.chainId}`, asset: deployment.usdc, payTo: deployment.forwarder }
  for (const [name, value] of Object.entries({ network, asset, payTo })) {
    const expectedText = expectedTerms[name as keyof typeof expectedTerms]
    if (String(value).toLowerCase() === expectedText) continue
    return `The server asks for a payment with ${name} ${printable(value)}; the deployment's is ${expectedText}.`
  }
  return /^[0-9]{1,30}$/.test(amount) ? null : 'The amount of the challenge is no whole number of base units.'
}

function printable(value: unknown): string {
  return String(value)
    .slice(0, 80)
    .replace(/[^\x20-\x7e]/g, '?')
}
