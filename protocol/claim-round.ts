import type { Facts } from './operation.ts'

/**
 * Returns the ending of the texts that a claim and a forfeit sign. The signature of an earlier claim round is public,
 * so the ending contains the round and makes that signature invalid in later rounds. The ending is empty before the
 * task was reopened for the first time (Interface, "Other rules").
 *
 * Example: `signatureSuffixOf({ claimRound: 2 })` is `:2`.
 */
export function signatureSuffixOf({ claimRound }: Pick<Facts, 'claimRound'>): string {
  return claimRound === 0 ? '' : `:${claimRound}`
}
