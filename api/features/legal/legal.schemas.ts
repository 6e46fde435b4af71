import { z } from 'zod'
import { bundleStatuses, policySlugs, policyTypes } from '../../domain/legal/policy-bundle.ts'
import { address, uuid, walletSignature } from '../../http/request-schemas.ts'
import { addressOut, timestampOut } from '../../http/response-schemas.ts'

const digestOut = z
  .string()
  .regex(/^sha256:[0-9a-f]{64}$/)
  .meta({ description: 'sha-256 of the canonical form of the bundle; docs/build/legal.md has the form.' })

const policySchema = z.object({
  type: z.enum(policyTypes),
  slug: z.enum(Object.values(policySlugs)),
  version: z.string(),
  title: z.string(),
  summary: z.string(),
  url: z.url().meta({ description: 'Where the Markdown is, for ever.' }),
  contentHash: z
    .string()
    .regex(/^sha256:[0-9a-f]{64}$/)
    .meta({ description: 'sha-256 of the Markdown’s exact bytes.' }),
})

/** The schema of the current policies. See the interface specification, "Legal". */
export const bundleSchema = z
  .object({
    version: z.string(),
    status: z.enum(bundleStatuses),
    effectiveAt: timestampOut.nullable(),
    publishedAt: timestampOut,
    acceptanceAvailable: z.boolean().meta({ description: 'Whether the bundle can be accepted now.' }),
    enforcementEnabled: z.boolean().meta({ description: 'Whether protected writes need a receipt.' }),
    acceptanceStatement: z.string(),
    bundleDigest: digestOut,
    documents: z.array(policySchema).length(policyTypes.length),
  })
  .meta({ id: 'LegalBundle' })

export const challengeRequestSchema = z.object({ walletAddress: address })

export const challengeSchema = z.object({
  bundle: bundleSchema,
  message: z.string().meta({ description: 'To be signed by the wallet (EIP-191), exactly as it is.' }),
  nonce: z.uuid(),
  issuedAt: timestampOut,
  expiresAt: timestampOut.meta({ description: 'Ten minutes later; used once.' }),
  walletAddress: addressOut,
})

export const acceptanceRequestSchema = z.object({
  walletAddress: address,
  signature: walletSignature.meta({
    description: 'EIP-191 signature over the challenge’s message; a contract wallet’s is asked for by ERC-1271.',
  }),
  nonce: uuid.meta({ description: 'Of the challenge.' }),
  bundleVersion: z.string().max(64),
  bundleDigest: z.string().max(80),
  agreedToTerms: agreement('terms of service'),
  agreedToAcceptableUse: agreement('acceptable use policy'),
  acknowledgedRisk: agreement('risk disclosure'),
  receivedPrivacyNotice: agreement('privacy policy'),
})
export type AcceptanceRequest = z.output<typeof acceptanceRequestSchema>

export const acceptanceSchema = z.object({
  acceptedAt: timestampOut,
  bundleDigest: digestOut,
  bundleVersion: z.string(),
  receipt: z.string().meta({ description: 'To be sent with protected writes of this wallet, in the receipt header.' }),
})

export const statusSchema = z.object({
  accepted: z.boolean().meta({ description: 'Whether the receipt sent is one for the current bundle.' }),
  bundle: bundleSchema,
  subjectType: z.literal('wallet').optional(),
  receipt: z.string().optional().meta({ description: 'As sent.' }),
  walletAddress: addressOut.optional().meta({ description: 'Whose writes the receipt admits.' }),
  acceptedAt: timestampOut.optional(),
})

/** Returns the schema of a field by which the sender accepts a policy. Only the value true is allowed. */
function agreement(policy: string) {
  return z
    .literal(true, { error: `must be true, to accept the ${policy}` })
    .meta({ description: `Must be true, to accept the ${policy}.` })
}
