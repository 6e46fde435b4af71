import type { WriteName } from '../api/write-names.ts'
import type { ClientContext } from '../context.ts'
import { countWrite } from '../store/ledger.ts'
import { type Limits, lowerLimits } from '../store/limits.ts'
import type { JournalEntry } from '../store/store.ts'
import { releaseEnded } from './release-ended.ts'
import { Refused } from './write-spec.ts'

/**
 * Checks that a write is within the wallet's limits. Works on a copy of the state, so that the check itself uses up no
 * limit. Without a store, nothing is checked, because no write is possible.
 * @throws Refused, StoreError
 */
export async function checkLimits(
  { account, store, chain, limits }: Pick<ClientContext, 'account' | 'store' | 'chain' | 'limits'>,
  { name, input, amount, given = {} }: { name: WriteName; input: object; amount: bigint; given?: Partial<Limits> },
): Promise<void> {
  if (account === null || store === null) return
  await releaseEnded({ account, store, chain })
  const { limits: configuredLimits } = await store.config(account.address)
  const { taskId } = input as { taskId?: unknown }
  const entry = anEntry(name, typeof taskId === 'string' ? taskId.toLowerCase() : null)
  const bounds = { amount, limits: lowerLimits(configuredLimits, limits, given), now: Date.now() }
  const excess = await store.update(account.address, (state) => countWrite(structuredClone(state), entry, bounds))
  if (excess !== null) throw new Refused('limit_exceeded', `${excess} Nothing was signed.`)
}

function anEntry(operation: WriteName, taskId: string | null): JournalEntry {
  return {
    key: '',
    operation,
    path: '',
    requestHash: '',
    taskId,
    createdAt: 0,
    updatedAt: 0,
    state: 'reserved',
    runs: {},
    counted: '0',
    payment: null,
    unansweredUntil: null,
    txHash: null,
  }
}
