import type { Hex } from 'viem'
import type { Limits, TokenLimits } from './limits.ts'

/**
 * State of a write. `reserved`: nothing was sent that can act. `sent`: a request that can act may have reached the service. The
 * others are final. After `refused` the key can be used again, after `failed` it cannot.
 */
export type EntryState = 'reserved' | 'sent' | 'completed' | 'refused' | 'failed'

/** Record of one write, on disk before anything of the write is sent. Contains no signatures. */
export interface JournalEntry {
  key: string
  operation: string
  path: string
  /** Hash of operation, path and arguments. Another request under the same key is refused. */
  requestHash: string
  /** `requestHash` without the values that the wallet may choose again, such as a salt; absent: the request has none. */
  purposeHash?: string
  taskId: string | null
  /** Time of the entry, milliseconds. */
  createdAt: number
  updatedAt: number
  state: EntryState
  /** Calls that work on the write, by the id of the call: equal calls share one entry. */
  runs: Record<string, RunRecord>
  /** True when a call sent a request and ended without its outcome. */
  isLeftOpen?: boolean
  /**
   * Values of the request that the wallet has chosen, such as the salt of a document. They stay the same while a request with
   * them can act.
   */
  choices?: Choices
  /** Time of the choice, Unix seconds. */
  chosenAt?: number
  /** Amount that the write decides, base units; counts against the limits. */
  counted: string
  /** The last authorization that was signed. */
  payment: SignedPayment | null
  /** Earlier authorizations of the write for other calls, whose facts have changed since. */
  earlierPayments?: SignedPayment[]
  /** End of the time in which a request of an ended call may still arrive, Unix seconds; null: each was answered. */
  unansweredUntil: number | null
  txHash: string | null
  /** Time of completion, milliseconds; completed writes only. */
  completedAt?: number
  /** True when the write completed and the service reports no payment. The write counts while its authorization can be used. */
  isUnpaid?: boolean
  /** True when a model decided the write, not a user. */
  isUnattended?: boolean
  /** Amounts of tokens other than USDC that the write takes. */
  tokens?: TokenAmount[]
}

/** Values of a request that its sender chooses. */
export interface Choices {
  documentSalt?: string
  createdAt?: string
  minPrice?: string
}

/** An authorization without its signature. */
export interface SignedPayment {
  nonce: Hex
  /** Amount, base units. */
  value: string
  /** End of the authorization, Unix seconds. */
  validBefore: number
  /** Salt of a payment that is bound to its call. */
  salt?: Hex
  /** The part of a bound payment that the contract takes into escrow, base units. */
  escrow?: string
}

/** An amount of a token. */
export interface TokenAmount {
  /** Token address, lower case; `unknown`: no node has returned it. */
  token: string
  /** Amount, base units of the token as a decimal string. */
  amount: string
}

/** A call that works on a write. */
export interface RunRecord {
  /** Name of the call's process. */
  owner: string
  /** End of the time in which the call can be at work, milliseconds. */
  workUntil: number
  /** End of the time in which a request of the call may arrive, Unix seconds; null: none was sent. */
  unansweredUntil: number | null
}

/** Amounts that the wallet's writes decided about a task. */
export interface TaskRecord {
  /** Counted amount, base units. */
  counted: string
  /** Reward of this wallet's creation or last raise, base units; null: another wallet's task. */
  reward: string | null
  /** Amounts of other tokens that its creation took, which are paid out with it. */
  tokens?: TokenAmount[]
}

/** Everything that is stored of a wallet. */
export interface WalletState {
  entries: Record<string, JournalEntry>
  tasks: Record<string, TaskRecord>
}

/** Settings of a wallet that no argument and no server can change. */
export interface WalletConfig {
  limits: Limits
  /** Maximum that models may decide in 24 hours without a user, base units. */
  askAbove: bigint
  /** Receiver of withdrawals; null: not set. */
  withdrawalAddress: string | null
  /** Hooks that tasks may be created with, lower case. */
  hooks: string[]
  /** Maximum that creations with those hooks may take of a vault's token, by the token's address in lower case. */
  tokenLimits: Record<string, TokenLimits>
}

/** Stores the states of wallets. `fileStore` and `webStore` return one. */
export interface Store {
  /**
   * Runs `change` on the state, excluding all other processes of this store. The result is durable before the promise resolves.
   * `change` must be quick: it sends no requests.
   * @throws StoreError without a lock or a disk: nothing may be sent then
   */
  update<T>(wallet: string, change: (state: WalletState) => T): Promise<T>
  /**
   * Reads the configuration of a wallet.
   * @throws StoreError when it cannot be read
   */
  config(wallet: string): Promise<WalletConfig>
  /** Name of this process as the owner of writes. */
  owner: string
  /** Reports whether the process of a name may still be at work. */
  isAlive(owner: string): boolean
}

/** The state could not be locked, read or written. */
export class StoreError extends Error {
  override name = 'StoreError'
}

/** Returns the state of a wallet without writes. */
export function emptyState(): WalletState {
  return { entries: {}, tasks: {} }
}

/** Completes a stored state: entries of an earlier version have no list of calls. */
export function withRuns(state: WalletState): WalletState {
  for (const entry of Object.values(state.entries)) entry.runs ??= {}
  return state
}
