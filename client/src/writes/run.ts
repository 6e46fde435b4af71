import type { Account } from '../account/account.ts'
import type { WriteName } from '../api/write-names.ts'
import type { ClientContext } from '../context.ts'
import type { Limits } from '../store/limits.ts'
import { type JournalEntry, type Store, StoreError, type WalletState } from '../store/store.ts'
import type { IntentStatus } from './outcome.ts'
import type { TaskFacts, WriteSpec } from './write-spec.ts'

/** One write on its way. */
export interface Run {
  context: ClientContext & { account: Account; store: Store }
  name: WriteName
  spec: WriteSpec<never>
  input: never
  key: string
  /** As it was on disk when the run began; `isResumed`: an earlier run may have sent something. */
  entry: JournalEntry
  isResumed: boolean
  limits: Limits
  /** What may be decided without a person; null: a person decided this write. */
  unattendedLimit: bigint | null
  withdrawalAddress: string | null
  path: string
  task: TaskFacts | null
  /** Beside the price, base units. */
  decided: bigint
  bodyText: string | null
  /** Empty until the body is made. */
  bodySha256: string
  /** The payment of this run; the same one is sent again. */
  payment: { header: string; value: bigint; validBefore: number } | null
  /** The body has an authorization that ends then, Unix seconds; null: none. */
  bodyValidBefore: number | null
  /** A request that can act was sent by this run. */
  hasSent: boolean
  /** Until then a request without an answer may arrive, Unix seconds; null: each was answered. */
  lostUntil: number | null
  lastStatus: IntentStatus | null
  deadline: number
}

/** Changes the entry of a run, durably. @throws StoreError */
export function changeEntry<T>(
  { context: { store, account }, key }: Pick<Run, 'context' | 'key'>,
  change: (entry: JournalEntry, state: WalletState) => T,
): Promise<T> {
  return store.update(account.address, (state) => {
    const entry = state.entries[key]
    if (entry === undefined) throw new StoreError(`The journal has lost the write ${key}.`)
    return change(entry, state)
  })
}
