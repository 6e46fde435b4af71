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

/** One write on its way. */
export interface Run {
  context: ClientContext & { account: Account; store: Store }
  name: WriteName
  spec: WriteSpec
  input: Fields
  key: string
  /** Of this call, in the entry. */
  id: string
  /** As it was on disk when the run began; `isResumed`: an earlier run may have sent something. */
  entry: JournalEntry
  isResumed: boolean
  /** Another call has begun the write, and may be at work on it. */
  isJoined: boolean
  /** A second write beside an equal one is meant. */
  isAgain: boolean
  limits: Limits
  /** What may be decided without a person; null: a person decided this write. */
  unattendedLimit: bigint | null
  /** A person agreed to what the write moves beside USDC. */
  isConfirmed: boolean
  withdrawalAddress: string | null
  path: string
  task: TaskFacts | null
  /** The arguments as the entry of the write normalises them; empty until the body is made. */
  normalised: Fields
  /** The reward that the task has by this write, base units; null: the write names none. */
  reward: bigint | null
  /** Beside the price, base units. */
  decided: bigint
  bodyText: string | null
  /** Empty until the body is made. */
  bodySha256: string
  /** The payment of this run; the same one is sent again. */
  payment: { header: string; value: bigint; validBefore: number; nonce: Hex } | null
  /** The call that the one who decided the write has seen, and the values that it was made of; null: they saw none. */
  agreed: { call: ContractCall | null; choices?: Choices } | null
  /** Shows them another call; null: they cannot be asked. */
  decideAgain: ((call: ContractCall) => Promise<boolean>) | null
  /** The call that the service refused last because its facts have changed; null: none. */
  changed: { nonce: Hex; refusal: Refusal } | null
  /** A payment of another call may still be used: this run signs none beside it. */
  isWaiting: boolean
  /** Number of calls of this run that were refused so. */
  callsSigned: number
  /** The journal's payment, signed again as proof of its payer; null: not needed so far. */
  proof: string | null
  /** The body has an authorization that ends then, Unix seconds; null: none. */
  bodyValidBefore: number | null
  /** A request that can act was sent by this run. */
  hasSent: boolean
  /** Until then a request without an answer may arrive, Unix seconds; null: each was answered. */
  lostUntil: number | null
  lastStatus: IntentStatus | null
  deadline: number
}

/** The service has said that the key has a write. */
export function isBound({ lastStatus }: Pick<Run, 'lastStatus'>): boolean {
  return lastStatus !== null && lastStatus !== 'reserved'
}

/** The write has an outcome that does not change: nothing is signed for it any more. */
export function isSettled({ state }: JournalEntry): boolean {
  return state === 'completed' || state === 'failed'
}

/** Notes that a request of this call may arrive until then, Unix seconds. Changes no outcome. */
export function noteSent(entry: JournalEntry, id: string, until: number): void {
  entry.state = 'sent'
  const run = entry.runs[id]
  if (run === undefined) entry.unansweredUntil = Math.max(entry.unansweredUntil ?? 0, until)
  else run.unansweredUntil = Math.max(run.unansweredUntil ?? 0, until)
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
