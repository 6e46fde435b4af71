import { randomUUID } from 'node:crypto'
import type { Address } from 'viem'
import type { Deps } from '../../deps.ts'
import { toAcceptanceMessage } from '../../domain/legal/acceptance-message.ts'
import { toAddress } from '../../http/response-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { requireAcceptanceAvailable } from './acceptance-available.ts'
import { type Challenge, deleteOldChallenges, insertChallenge, readClock } from './challenges.queries.ts'
import { toBundleView } from './legal.mapper.ts'
import { challengeRequestSchema, challengeSchema } from './legal.schemas.ts'

const LIFETIME_MS = 10 * 60_000
/**
 * The number of old challenges that one request deletes. Each request adds one challenge and deletes more, so a backlog
 * shrinks.
 */
const DELETED_PER_REQUEST = 20

/**
 * Returns the message that a wallet signs to accept the current policies. The message is valid for ten minutes, by the
 * clock of the database. See the specification, "Legal acceptance".
 *
 * Example: `POST /api/legal/challenge` with `{"walletAddress": "0x2361.."}` answers `{"bundle": {"version":
 * "0.1.0-template", "status": "draft", ..}, "message": "Service legal ac..", "nonce": "6855..", "issuedAt":
 * "2026-11-22T23:04:08.178Z", ..}`.
 */
export const issueChallenge = defineRoute({
  operationId: 'createLegalChallenge',
  method: 'post',
  path: '/legal/challenge',
  tag: 'legal',
  summary: 'Get the message by which a wallet accepts the current policies',
  description: 'Sign `message` (EIP-191) within ten minutes and send it to `/legal/accept/wallet`. Used once.',
  body: challengeRequestSchema,
  responses: {
    200: { description: 'What to sign.', schema: challengeSchema },
    409: { description: 'The current policies cannot be accepted.' },
  },
  handler: async (deps, { body }, context) => {
    requireAcceptanceAvailable(deps)
    const challenge = await issue(deps, body.walletAddress)
    await deleteOldChallenges(deps.sql, DELETED_PER_REQUEST)
    context.header('Cache-Control', 'no-store')
    return {
      bundle: toBundleView(deps),
      message: challenge.message,
      nonce: challenge.nonce,
      issuedAt: challenge.issuedAt.toISOString(),
      expiresAt: challenge.expiresAt.toISOString(),
      walletAddress: toAddress(challenge.wallet),
    }
  },
})

async function issue(
  { sql, legal, config }: Pick<Deps, 'sql' | 'legal' | 'config'>,
  wallet: Address,
): Promise<Challenge> {
  const nonce = randomUUID()
  const issuedAt = await readClock(sql)
  const expiresAt = new Date(issuedAt.getTime() + LIFETIME_MS)
  const message = toAcceptanceMessage({
    title: titleOf(config.SERVICE_NAME),
    wallet,
    bundle: legal.bundle,
    nonce,
    issuedAt: issuedAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  })
  const challenge = { nonce, wallet, bundleDigest: legal.bundle.digest, message, issuedAt, expiresAt }
  await insertChallenge(sql, challenge)
  return challenge
}

function titleOf(serviceName: string): string {
  return `${serviceName.charAt(0).toUpperCase()}${serviceName.slice(1)}`
}
