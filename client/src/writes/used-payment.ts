import type { JournalEntry } from '../store/store.ts'
import type { Run } from './run.ts'

/**
 * Whether a payment that has ended was used before, or may have been: a node that does not answer says nothing. Without a
 * node, its end is what is known.
 */
export async function mayBeUsed(
  { chain, account }: Pick<Run['context'], 'chain' | 'account'>,
  payment: JournalEntry['payment'],
): Promise<boolean> {
  // An authorization of a body has no nonce in the journal.
  if (chain === null || payment === null || payment.nonce === '0x') return false
  return await chain.isAuthorizationUsed(account.address, payment.nonce).catch(() => true)
}
