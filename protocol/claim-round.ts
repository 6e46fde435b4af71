import type { Facts } from './operation.ts'

/**
 * Returns the ending of the text that a wallet signs to claim or to forfeit a task. The signatures of earlier claim
 * rounds are public. The ending therefore contains the round, so that an earlier signature is invalid in later rounds.
 * The ending is empty until the task is reopened for the first time (interface specification, "Other rules").
 *
 * Example: `signatureSuffixOf({ claimRound: 2 })` is `:2`.
 */
export function signatureSuffixOf({ claimRound }: Pick<Facts, 'claimRound'>): string {
  return claimRound === 0 ? '' : `:${claimRound}`
}
