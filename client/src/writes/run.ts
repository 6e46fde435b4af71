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

/**
 * The state of one write during one client call (a call of a function such as `client.write`). A write can take several
 * calls, for example after a crash.
 */
export interface Run {
  context: ClientContext & { account: Account; store: Store }
  name: WriteName
  spec: WriteSpec
  input: Fields
  key: string
  /** The id of this call in the journal entry. */
  id: string
  /** The journal entry when the run began. */
  entry: JournalEntry
  /** True if an earlier call may have sent a request of this write. */
  isResumed: boolean
  /** True if another client call has begun the write and may still be working on it. */
  isJoined: boolean
  /** True to make a second write even if the outcome of an equal write is still open. */
  isAgain: boolean
  limits: Limits
  /**
   * The maximum amount, in base units of USDC, that all writes of 24 hours together may commit or pay out if no user
   * has confirmed these writes. Null if a user has confirmed this write.
   */
  unattendedLimit: bigint | null
  /** True if a user has agreed to the movements of assets other than USDC. */
  isConfirmed: boolean
  withdrawalAddress: string | null
  path: string
  task: TaskFacts | null
  /** The normalised arguments; an empty object until the body is built. */
  normalised: Fields
  /** The reward in base units of USDC that this write sets for the task; null if the write sets none. */
  reward: bigint | null
  /** The amount in base units of USDC that the write commits or pays out in addition to its price. */
  decided: bigint
  bodyText: string | null
  /** The SHA-256 hash of the body in hex; an empty string until the body is built. */
  bodySha256: string
  /** The payment that the requests of this run contain; null until the payment is signed. */
  payment: { header: string; value: bigint; validBefore: number; nonce: Hex } | null
  /** The contract call to which the user agreed, and the values chosen for it; null if no call was agreed. */
  agreed: { call: ContractCall | null; choices?: Choices } | null
  /** Asks the user about a contract call that differs from the agreed call; null if no user can be asked. */
  decideAgain: ((call: ContractCall) => Promise<boolean>) | null
  /**
   * The last call that the service refused because of changed facts; null if the service has refused no call for this
   * reason.
   */
  changed: { nonce: Hex; refusal: Refusal } | null
  /** True while the run must not sign its own payment, because another payment may still be used. */
  isWaiting: boolean
  /** The number of this run's signed contract calls that the service refused because of changed facts. */
  callsSigned: number
  /** A header that proves who paid: the journal's payment, signed again. Null until the proof is needed. */
  proof: string | null
  /** The expiry of the authorization that the body contains, in Unix seconds; null if the body contains none. */
  bodyValidBefore: number | null
  /** True after this run has sent a request that can have an effect. */
  hasSent: boolean
  /**
   * The latest time, in Unix seconds, at which an unanswered request of this write may still reach the service. Null if
   * every request was answered.
   */
  lostUntil: number | null
  lastStatus: IntentStatus | null
  deadline: number
}

/** Returns true if the service has confirmed that it has a write under the run's idempotency key. */
export function isBound({ lastStatus }: Pick<Run, 'lastStatus'>): boolean {
  return lastStatus !== null && lastStatus !== 'reserved'
}

/** Returns true if the outcome is final. Nothing more is signed for the write. */
export function isSettled({ state }: JournalEntry): boolean {
  return state === 'completed' || state === 'failed'
}

/** Records that a request of this call may reach the service until `until` (Unix seconds). */
export function noteSent(entry: JournalEntry, id: string, until: number): void {
  entry.state = 'sent'
  const run = entry.runs[id]
  if (run === undefined) entry.unansweredUntil = Math.max(entry.unansweredUntil ?? 0, until)
  else run.unansweredUntil = Math.max(run.unansweredUntil ?? 0, until)
}

/**
 * Changes the run's journal entry. The change is durable when the promise resolves.
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
