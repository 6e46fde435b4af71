import type { Hex } from 'viem'
import type { IntentStatus } from '../../../protocol/intent-statuses.ts'
import type { ContractCall } from '../../../protocol/relay.ts'
import type { Account } from '../account/account.ts'
import type { WriteName } from '../api/write-names.ts'
import type { ClientContext } from '../context.ts'
import type { Limits } from '../store/limits.ts'
import { type Choices, type JournalEntry, type Store, StoreError, type WalletState } from '../store/store.ts'
import type { Refusal } from './outcome.ts'
import type { Fields, TaskFacts, WriteSpec } from './write-spec.ts'

/** State of one write while a call works on it. */
export interface Run {
  context: ClientContext & { account: Account; store: Store }
  name: WriteName
  spec: WriteSpec
  input: Fields
  key: string
  /** Id of this call in the entry. */
  id: string
  /** The entry on disk when the run began; `isResumed`: an earlier run may have sent something. */
  entry: JournalEntry
  isResumed: boolean
  /** Another call has begun the write and may be working on it. */
  isJoined: boolean
  /** Makes a second write beside an equal one. */
  isAgain: boolean
  limits: Limits
  /** Maximum that may be decided without a user; null: a user decided this write. */
  unattendedLimit: bigint | null
  /** A user agreed to the movements of other assets than USDC. */
  isConfirmed: boolean
  withdrawalAddress: string | null
  path: string
  task: TaskFacts | null
  /** The normalised arguments; empty until the body is built. */
  normalised: Fields
  /** Reward of the task by this write, base units; null: the write names none. */
  reward: bigint | null
  /** Amount decided besides the price, base units. */
  decided: bigint
  bodyText: string | null
  /** SHA-256 of the body; empty until the body is built. */
  bodySha256: string
  /** The payment of this run, which every request repeats. */
  payment: { header: string; value: bigint; validBefore: number; nonce: Hex } | null
  /** The call that the user agreed to, and its chosen values; null: none. */
  agreed: { call: ContractCall | null; choices?: Choices } | null
  /** Asks the user about another call; null: no user. */
  decideAgain: ((call: ContractCall) => Promise<boolean>) | null
  /** The call that the service refused last because its facts have changed; null: none. */
  changed: { nonce: Hex; refusal: Refusal } | null
  /** True while a payment of another call may be used: this run signs none beside it. */
  isWaiting: boolean
  /** Number of calls of this run that were refused for changed facts. */
  callsSigned: number
  /** The journal's payment, signed again as proof of its payer; null: not needed so far. */
  proof: string | null
  /** End of the authorization in the body, Unix seconds; null: none. */
  bodyValidBefore: number | null
  /** True after this run sent a request that can act. */
  hasSent: boolean
  /** End of the time in which an unanswered request may arrive, Unix seconds; null: each was answered. */
  lostUntil: number | null
  lastStatus: IntentStatus | null
  deadline: number
}

/** Reports whether the service confirmed that the key has a write. */
export function isBound({ lastStatus }: Pick<Run, 'lastStatus'>): boolean {
  return lastStatus !== null && lastStatus !== 'reserved'
}

/** Reports whether the outcome is final: nothing more is signed for the write. */
export function isSettled({ state }: JournalEntry): boolean {
  return state === 'completed' || state === 'failed'
}

/** Records that a request of this call may arrive until `until`, Unix seconds. Changes no outcome. */
export function noteSent(entry: JournalEntry, id: string, until: number): void {
  entry.state = 'sent'
  const run = entry.runs[id]
  if (run === undefined) entry.unansweredUntil = Math.max(entry.unansweredUntil ?? 0, until)
  else run.unansweredUntil = Math.max(run.unansweredUntil ?? 0, until)
}

/**
 * Changes the entry of a run durably.
 * @throws StoreError
 */
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
