import type { TaskSnapshot } from './task-snapshot.ts'

/**
 * Tail of the messages that claim and forfeit signatures are over: a signature of an earlier round is public, and must
 * not act in a later one. Empty before the first reopening. Interface, "Other rules".
 */
export function signatureSuffixOf({ claimRound }: Pick<TaskSnapshot, 'claimRound'>): string {
  return claimRound === 0 ? '' : `:${claimRound}`
}
