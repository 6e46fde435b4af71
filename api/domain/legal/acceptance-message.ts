import { type Address, getAddress } from 'viem'
import type { AcceptanceMessage } from '../../../protocol/signed/signed-text.ts'
import type { PolicyBundle } from './policy-bundle.ts'

/** The facts of one acceptance of a bundle by a wallet. Times are ISO 8601 in UTC. */
export interface AcceptanceTerms {
  /** The display name of the deployment. */
  title: string
  wallet: Address
  bundle: PolicyBundle
  nonce: string
  issuedAt: string
  expiresAt: string
}

/**
 * Returns the text that a wallet signs (EIP-191) to accept a bundle. It contains the hash of each document, so the
 * signature alone proves what was accepted. Interface, "Legal".
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
