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
  const isUsed = await chain.isAuthorizationUsed(account.address, payment.nonce).catch(() => true)
  return isUsed && !(await isCancelled({ chain, account }, payment))
}

/** Whether the wallet has cancelled a payment, so that it is void before its end. Without a node nothing says so. */
export async function isCancelled(
  { chain, account }: Parameters<typeof mayBeUsed>[0],
  { nonce }: NonNullable<JournalEntry['payment']>,
): Promise<boolean> {
  if (chain === null) return false
  return await chain.isAuthorizationCancelled(account.address, nonce).catch(() => false)
}

/** The same of several payments. */
export async function isAnyUsed(
  context: Parameters<typeof mayBeUsed>[0],
  payments: readonly NonNullable<JournalEntry['payment']>[],
): Promise<boolean> {
  const used = await Promise.all(payments.map((payment) => mayBeUsed(context, payment)))
  return used.includes(true)
}
