import type { Facts } from './operation.ts'

/**
 * Returns the tail of the messages that claims and forfeits sign: a signature of an earlier round is public, and must be invalid
 * in a later one. It is empty before the first reopening. Interface, "Other rules".
 *
 * Example: `signatureSuffixOf({ claimRound: 2 })` is `:2`.
 */
export function signatureSuffixOf({ claimRound }: Pick<Facts, 'claimRound'>): string {
  return claimRound === 0 ? '' : `:${claimRound}`
}
