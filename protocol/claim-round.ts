import type { Facts } from './operation.ts'

/**
 * Returns the tail of the messages that claim and forfeit signatures are over: a signature of an earlier round is public, and
 * must not act in a later one. Empty before the first reopening. Interface, "Other rules". Example: `:2`.
 */
export function signatureSuffixOf({ claimRound }: Pick<Facts, 'claimRound'>): string {
  return claimRound === 0 ? '' : `:${claimRound}`
}
