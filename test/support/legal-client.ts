import type { Actor } from './actors.ts'

/** Sends a POST below `/api` and parses the answer. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
export type Post = (path: string, body: unknown) => Promise<{ status: number; body: any }>

/** The message that a wallet signs. */
export interface LegalChallenge {
  bundle: { version: string; bundleDigest: string }
  message: string
  nonce: string
  issuedAt: string
  expiresAt: string
  walletAddress: string
}

export async function challengeFor(post: Post, { account }: Actor): Promise<LegalChallenge> {
  const { status, body } = await post('/legal/challenge', { walletAddress: account.address })
  if (status !== 200) throw new Error(`no challenge: ${status} ${JSON.stringify(body)}`)
  return body
}

/** A valid body of an acceptance, signed by `signer` for the challenge's wallet. */
export async function anAcceptance({ message, nonce, bundle, walletAddress }: LegalChallenge, signer: Actor) {
  return {
    walletAddress,
    nonce,
    bundleVersion: bundle.version,
    bundleDigest: bundle.bundleDigest,
    signature: await signer.account.signMessage({ message }),
    agreedToTerms: true,
    agreedToAcceptableUse: true,
    acknowledgedRisk: true,
    receivedPrivacyNotice: true,
  }
}

/** All steps of an acceptance; the receipt. */
export async function acceptPolicies(post: Post, wallet: Actor): Promise<string> {
  const { status, body } = await post(
    '/legal/accept/wallet',
    await anAcceptance(await challengeFor(post, wallet), wallet),
  )
  if (status !== 200) throw new Error(`not accepted: ${status} ${JSON.stringify(body)}`)
  return body.receipt
}

export function receiptHeader(receipt: string): Record<string, string> {
  return { 'X-Service-Legal-Receipt': receipt }
}
