import type { Facts } from './operation.ts'

/**
 * Returns the ending of the message that a wallet signs to claim or to forfeit a task (interface specification, "Other
 * rules"). The ending contains the claim round: the number of times that the task was reopened. The ending is empty if
 * the task was never reopened.
 *
 * Example: `signatureSuffixOf({ claimRound: 2 })` is `:2`.
 */
export function signatureSuffixOf({ claimRound }: Pick<Facts, 'claimRound'>): string {
  // Signatures of earlier rounds are public. The round in the message makes them invalid in later rounds.
  return claimRound === 0 ? '' : `:${claimRound}`
}
