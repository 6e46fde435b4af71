import { type Address, getAddress } from 'viem'
import type { AcceptanceMessage } from '../../../protocol/signed/signed-text.ts'
import type { PolicyBundle } from './policy-bundle.ts'

/** One wallet's occasion to accept a bundle. Times are ISO 8601 in UTC. */
export interface AcceptanceTerms {
  /** The name of the deployment, as people read it. */
  title: string
  wallet: Address
  bundle: PolicyBundle
  nonce: string
  issuedAt: string
  expiresAt: string
}

/**
 * The text that a wallet signs (EIP-191) to accept a bundle. It names each document by its hash, so that the signature
 * alone proves what was agreed to. Interface, "Legal".
 */
export function toAcceptanceMessage({
  title,
  wallet,
  bundle,
  nonce,
  issuedAt,
  expiresAt,
}: AcceptanceTerms): AcceptanceMessage {
  const lines = [
    '',
    `Wallet: ${getAddress(wallet)}`,
    `Bundle: ${bundle.version}`,
    `Issued at: ${issuedAt}`,
    `Expires at: ${expiresAt}`,
    `Nonce: ${nonce}`,
    '',
    'Documents:',
    ...bundle.documents.map((document) => `- ${document.title} (${document.version}): ${document.contentHash}`),
    '',
    bundle.acceptanceStatement,
  ]
  return `${title} legal acceptance\n${lines.join('\n')}`
}
