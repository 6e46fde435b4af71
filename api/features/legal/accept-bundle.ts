import type { Hex } from 'viem'
import type { Detail } from '../../../protocol/details.ts'
import type { ErrorStatus } from '../../../protocol/reasons.ts'
import { NOT_DEPLOYED, takeSignature } from '../../chain/take-signature.ts'
import type { Deps } from '../../deps.ts'
import { createReceiptToken, hashReceiptToken } from '../../domain/legal/receipt-token.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { toAddress } from '../../http/response-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { requireAcceptanceAvailable } from './acceptance-available.ts'
import { acceptChallenge, findChallenge } from './challenges.queries.ts'
import { type AcceptanceRequest, acceptanceRequestSchema, acceptanceSchema } from './legal.schemas.ts'

/**
 * Accepts the current policies by a wallet's signature. Each acceptance gets a separate receipt. Earlier receipts for
 * the same bundle remain valid, so each device of a wallet can have a receipt. See the specification, "Legal
 * acceptance".
 *
 * Example: `POST /api/legal/accept/wallet` with `{"walletAddress": "0x2361..", "signature": "0x9ff2..", "nonce":
 * "6855..", "bundleVersion": "0.1.0-template", ..}` answers `{"acceptedAt": "2026-11-22T23:04:08.236Z", "bundleDigest":
 * "sha256:1369c91a8..", "bundleVersion": "0.1.0-template", "receipt": "legal_vBMXAArU8q.."}`.
 */
export const acceptBundle = defineRoute({
  operationId: 'acceptLegalBundle',
  method: 'post',
  path: '/legal/accept/wallet',
  tag: 'legal',
  summary: 'Accept the current policies with a wallet’s signature',
  description:
    'Answers a receipt, shown once, for `X-Service-Legal-Receipt`. It is valid for writes of this wallet until the ' +
    'policies change. Accepting again gives another receipt beside it.',
  body: acceptanceRequestSchema,
  responses: {
    200: { description: 'Accepted.', schema: acceptanceSchema },
    403: { description: 'The signature is not the wallet’s over the challenge’s message.' },
    404: { description: 'The wallet has no challenge with this nonce.' },
    409: { description: 'The challenge is used or expired, or the policies are others by now.' },
  },
  handler: async (deps, { body }, context) => {
    requireAcceptanceAvailable(deps)
    requireCurrentBundle(deps, body)
    const signature = await takeSignedChallenge(deps, body)
    const answer = await accept(deps, { ...body, signature })
    context.header('Cache-Control', 'no-store')
    return answer
  },
})

function requireCurrentBundle({ legal: { bundle } }: Pick<Deps, 'legal'>, body: AcceptanceRequest): void {
  if (body.bundleVersion === bundle.version && body.bundleDigest.toLowerCase() === bundle.digest) return
  throw refused(
    'legal_other_bundle',
    `These are not the current policies (version ${bundle.version}, ${bundle.digest}). Read them and sign a new challenge`,
  )
}

/**
 * Checks the signature over a challenge. Returns the signature in the stored form. If the signature is refused, the
 * wallet may sign the same challenge again.
 */
async function takeSignedChallenge(
  { sql, chain, legal }: Pick<Deps, 'sql' | 'chain' | 'legal'>,
  body: AcceptanceRequest,
): Promise<Hex> {
  const { nonce, walletAddress, signature } = body
  const challenge = await findChallenge(sql, { nonce, wallet: walletAddress })
  if (challenge === null) throw refused('challenge_not_found', 'This wallet has no challenge with this nonce')
  if (challenge.isUsed) throw refused('challenge_ended', 'This challenge has been used')
  if (challenge.isExpired) throw refused('challenge_ended', 'This challenge has expired')
  if (challenge.bundleDigest !== legal.bundle.digest)
    throw refused('legal_other_bundle', 'This challenge is for other policies')
  const takenSignature = await takeSignature(chain, { address: walletAddress, message: challenge.message, signature })
  if (takenSignature.problem === undefined) return takenSignature.signature
  if (takenSignature.problem === 'wallet_not_deployed') throw refused(takenSignature.problem, NOT_DEPLOYED.slice(0, -1))
  throw refused(
    'signature_invalid',
    `The signature must be ${toAddress(walletAddress)}’s (EIP-191) over exactly the challenge’s message. Sign it again`,
  )
}

async function accept(
  { sql, legal }: Pick<Deps, 'sql' | 'legal'>,
  { nonce, walletAddress, signature }: AcceptanceRequest,
) {
  const receipt = createReceiptToken()
  const receiptHash = hashReceiptToken(receipt)
  if (receiptHash === null) throw new Error('a receipt was made that is none')
  const { digest, version } = legal.bundle
  const signedChallenge = { nonce, wallet: walletAddress, bundleDigest: digest, signature, receiptHash }
  const acceptedAt = await acceptChallenge(sql, signedChallenge)
  if (acceptedAt === null) throw refused('challenge_ended', 'This challenge was used or expired meanwhile')
  return { acceptedAt: acceptedAt.toISOString(), bundleDigest: digest, bundleVersion: version, receipt }
}

const statuses = {
  legal_other_bundle: 409,
  challenge_not_found: 404,
  challenge_ended: 409,
  signature_invalid: 403,
  wallet_not_deployed: 403,
} as const satisfies Partial<Record<Detail, ErrorStatus>>

function refused(detail: keyof typeof statuses, fact: string): ServiceError {
  const status = statuses[detail]
  const advice = status === 403 ? '' : ' POST /api/legal/challenge gives a new one.'
  return new ServiceError(status, 'unclassified', `${fact}.${advice}`, { detail })
}
