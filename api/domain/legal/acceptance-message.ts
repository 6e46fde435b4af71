import { type Address, getAddress } from 'viem'
import type { AcceptanceMessage } from '../../../protocol/signed/signed-text.ts'
import type { PolicyBundle } from './policy-bundle.ts'

/** The facts of a wallet's acceptance of a policy bundle. Times are ISO 8601 in UTC. */
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
 * Returns the message that a wallet signs (EIP-191) to accept a policy bundle. The message has the hash of each
 * document, so the signature proves which documents were accepted. See the interface specification, "Legal".
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
