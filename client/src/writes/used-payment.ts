import type { JournalEntry } from '../store/store.ts'
import type { Run } from './run.ts'

/**
 * Returns true if a payment was used on the chain and not cancelled. If the client has a node that does not answer,
 * returns true, because the payment may have been used. If the client has no node, returns false.
 */
export async function mayBeUsed(
  { chain, account }: Pick<Run['context'], 'chain' | 'account'>,
  payment: JournalEntry['payment'],
): Promise<boolean> {
  // An authorization inside a body has no nonce in the journal.
  if (chain === null || payment === null || payment.nonce === '0x') return false
  const isUsed = await chain.isAuthorizationUsed(account.address, payment.nonce).catch(() => true)
  return isUsed && !(await isCancelled({ chain, account }, payment))
}

/**
 * Returns true if the wallet has cancelled a payment on the chain. A cancelled payment can no longer be used. Returns
 * false without a node.
 */
export async function isCancelled(
  { chain, account }: Parameters<typeof mayBeUsed>[0],
  { nonce }: NonNullable<JournalEntry['payment']>,
): Promise<boolean> {
  if (chain === null) return false
  return await chain.isAuthorizationCancelled(account.address, nonce).catch(() => false)
}

/** Reports whether any of the payments was used, or may have been used. */
export async function isAnyUsed(
  context: Parameters<typeof mayBeUsed>[0],
  payments: readonly NonNullable<JournalEntry['payment']>[],
): Promise<boolean> {
  const usedFlags = await Promise.all(payments.map((payment) => mayBeUsed(context, payment)))
  return usedFlags.includes(true)
}
