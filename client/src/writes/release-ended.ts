import { isOutstanding, listEnded, paymentsOf, uncountWrite } from '../store/ledger.ts'
import type { Run } from './run.ts'
import { isAtWork } from './run-records.ts'
import { isAnyUsed } from './used-payment.ts'

/**
 * Subtracts the amount of each write without effect from the sums that are compared with the limits. If the node
 * reports the write's payment as used, or does not answer, the amount stays.
 * @throws StoreError
 */
export async function releaseEnded({
  account,
  store,
  chain,
}: Pick<Run['context'], 'account' | 'store' | 'chain'>): Promise<void> {
  const now = Date.now()
  const { isAlive } = store
  const endedEntries = await store.update(account.address, (state) =>
    structuredClone(listEnded(state, { now, isAtWork: (entry) => isAtWork(entry, { isAlive, now }) })),
  )
  // A service could use a payment and still report a refusal.
  const usedFlags = await Promise.all(endedEntries.map((entry) => isAnyUsed({ account, chain }, paymentsOf(entry))))
  const unusedEntries = endedEntries.filter((_, at) => usedFlags[at] === false)
  if (unusedEntries.length === 0) return
  await store.update(account.address, (state) => {
    for (const { key, state: outcome, updatedAt } of unusedEntries) {
      const entry = state.entries[key]
      // Another call may have resumed the write since.
      if (entry?.state !== outcome || entry.updatedAt !== updatedAt || isOutstanding(entry, Date.now())) continue
      uncountWrite(state, entry)
    }
  })
}
