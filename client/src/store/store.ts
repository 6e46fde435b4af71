import type { Hex } from 'viem'
import type { Limits, TokenLimits } from './limits.ts'

/**
 * `reserved`: nothing was sent that can act. `sent`: a request that can act may have reached the service. The others are
 * final; after `refused` the key may be used again, after `failed` it may not.
 */
export type EntryState = 'reserved' | 'sent' | 'completed' | 'refused' | 'failed'

/** One write, as it is kept on disk before anything of it is sent. No signatures. */
export interface JournalEntry {
  key: string
  operation: string
  path: string
  /** Hash of operation, path and arguments; another request under the same key is refused here. */
  requestHash: string
  /** Its hash without the arguments that a wallet chooses otherwise, such as a salt; absent: the arguments have none of them. */
  purposeHash?: string
  taskId: string | null
  /** Milliseconds. */
  createdAt: number
  updatedAt: number
  state: EntryState
  /** The calls that work on it, by an id of each: equal calls share one entry. */
  runs: Record<string, RunRecord>
  /** A call has ended that had sent a request and does not have its outcome. */
  isLeftOpen?: boolean
  /** Values of the request that the wallet has chosen, such as the salt of a document: the same while a request of it can act. */
  choices?: Choices
  /** When it chose them, Unix seconds. */
  chosenAt?: number
  /** What the write decides, base units: counted against the limits. */
  counted: string
  /** The last authorization that was signed. */
  payment: SignedPayment | null
  /** Authorizations of other calls that were signed before it, because the facts of the call have changed. */
  earlierPayments?: SignedPayment[]
  /** Until then a request of a call that has ended may still arrive, Unix seconds; null: each was answered. */
  unansweredUntil: number | null
  txHash: string | null
  /** Milliseconds; of a completed write. */
  completedAt?: number
  /** The write is completed and the service took no payment for it, by its own word: it counts while one can be used. */
  isUnpaid?: boolean
  /** No person decided it: a model did. */
  isUnattended?: boolean
  /** Amounts of other tokens than USDC that it takes, by token. */
  tokens?: TokenAmount[]
}

/** Values of a request that its sender chooses. */
export interface Choices {
  documentSalt?: string
  createdAt?: string
  minPrice?: string
}

/** An authorization as the journal has it: without its signature. */
export interface SignedPayment {
  nonce: Hex
  /** Base units. */
  value: string
  /** Unix seconds. */
  validBefore: number
  /** Of a payment that is bound to its call. */
  salt?: Hex
  /** The part of a bound payment that the contract takes into escrow, base units. */
  escrow?: string
}

/** An amount of a token. */
export interface TokenAmount {
  /** The token's address, lower case; `unknown`: no node has named it. */
  token: string
  /** Base units of the token, as a decimal string. */
  amount: string
}

/** A call that works on a write. */
export interface RunRecord {
  /** The process of the call. */
  owner: string
  /** Until then the call can be at work, milliseconds. */
  workUntil: number
  /** Until then a request of the call may arrive, Unix seconds; null: none was sent. */
  unansweredUntil: number | null
}

/** What the wallet's writes have decided about a task. */
export interface TaskRecord {
  /** Base units. */
  counted: string
  /** The reward by which this wallet made or last raised it, base units; null: another wallet's task. */
  reward: string | null
  /** Amounts of other tokens that its creation took: paid out with it. */
  tokens?: TokenAmount[]
}

/** Everything that is kept of a wallet. */
export interface WalletState {
  entries: Record<string, JournalEntry>
  tasks: Record<string, TaskRecord>
}

/** The settings of a wallet that no argument and no server can change. */
export interface WalletConfig {
  limits: Limits
  /** What models may decide in 24 hours without a person, base units. */
  askAbove: bigint
  /** Where withdrawals go; null: not set. */
  withdrawalAddress: string | null
  /** Hooks that tasks may be created with, lower case. */
  hooks: string[]
  /** Most that creations with those hooks may take of a vault's token, by the token's address in lower case. */
  tokenLimits: Record<string, TokenLimits>
}

/** Keeps the states of wallets. */
export interface Store {
  /**
   * Runs `change` on the state while no other process of this store does; what it leaves there is durable before this
   * resolves. It must be quick: no request belongs in it.
   * @throws StoreError when there is no lock or no disk: nothing may be sent then
   */
  update<T>(wallet: string, change: (state: WalletState) => T): Promise<T>
  /** @throws StoreError when the configuration cannot be read */
  config(wallet: string): Promise<WalletConfig>
  /** This process, as the owner of writes. */
  owner: string
  /** Whether the process of that name may still be at work. */
  isAlive(owner: string): boolean
}

/** The state could not be locked, read or written. */
export class StoreError extends Error {
  override name = 'StoreError'
}

/** A wallet without writes. */
export function emptyState(): WalletState {
  return { entries: {}, tasks: {} }
}

/** A state as it was stored: entries of an earlier version have no list of calls. */
export function withRuns(state: WalletState): WalletState {
  for (const entry of Object.values(state.entries)) entry.runs ??= {}
  return state
}
