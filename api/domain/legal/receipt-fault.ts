import type { Address } from 'viem'

/** A wallet's agreement to a bundle, as its receipt proves it. */
export interface Acceptance {
  /** The wallet in lower case. */
  wallet: Address
  bundleVersion: string
  bundleDigest: string
  /** The time of acceptance, ISO 8601. */
  acceptedAt: string
}

export type ReceiptFault = 'other_bundle' | 'other_wallet'

/**
 * Returns the fault of an acceptance for a write; null admits it. `wallet` is the payer or signer, null while unknown.
 * Spec, "Legal acceptance": an acceptance is valid only for the current version and digest (which covers the version),
 * and for the same wallet.
 */
export function findReceiptFault(
  acceptance: Acceptance,
  { bundleDigest, wallet }: { bundleDigest: string; wallet: Address | null },
): ReceiptFault | null {
  if (acceptance.bundleDigest !== bundleDigest) return 'other_bundle'
  if (wallet !== null && acceptance.wallet !== wallet) return 'other_wallet'
  return null
}
