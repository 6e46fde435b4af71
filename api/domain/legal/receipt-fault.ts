import type { Address } from 'viem'

/** A wallet's acceptance of a policy bundle, as the wallet's receipt proves it. */
export interface Acceptance {
  /** The wallet's address in lower case. */
  wallet: Address
  bundleVersion: string
  bundleDigest: string
  /** The time of the acceptance, in ISO 8601. */
  acceptedAt: string
}

export type ReceiptFault = 'other_bundle' | 'other_wallet'

/**
 * Returns the reason why an acceptance is not valid for a write, or null if it is valid. The acceptance must have the
 * digest of the present bundle and must be by `wallet`. A null `wallet` is not compared. See the specification, "Legal
 * acceptance".
 * @param wallet the payer or signer of the write; null while unknown
 */
export function findReceiptFault(
  acceptance: Acceptance,
  { bundleDigest, wallet }: { bundleDigest: string; wallet: Address | null },
): ReceiptFault | null {
  if (acceptance.bundleDigest !== bundleDigest) return 'other_bundle'
  if (wallet !== null && acceptance.wallet !== wallet) return 'other_wallet'
  return null
}
