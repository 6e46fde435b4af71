import type { Hex } from 'viem'
import type { Limits, TokenLimits } from './limits.ts'

/**
 * The state of a write in the journal. `reserved`: no request with an effect was sent. `sent`: a request with an effect
 * may have reached the service. `completed`: the write was made. `refused`: the service or the client refused the
 * write, and the key can be used again. `failed`: the write was not made, and the key cannot be used again.
 */
export type EntryState = 'reserved' | 'sent' | 'completed' | 'refused' | 'failed'

/**
 * The journal's record of one write, without signatures. The record is on disk before any request of the write is sent.
 */
export interface JournalEntry {
  key: string
  operation: string
  path: string
  /**
   * The hash of the write's operation, path and arguments. A request under the same key is refused if it has another
   * hash.
   */
  requestHash: string
  /**
   * The hash of the operation, the path and the arguments, but without the document's salt and time. Two writes with
   * the same purpose have the same hash. If the caller passed neither a salt nor a time, this field is absent, because
   * `requestHash` already is the hash without salt and time.
   */
  purposeHash?: string
  taskId: string | null
  /** The time in Unix milliseconds at which the entry was created. */
  createdAt: number
  updatedAt: number
  state: EntryState
  /**
   * The calls of the client that are working on this write, by call id. There are several if the caller repeats a write
   * with the same arguments before the first call has ended.
   */
  runs: Record<string, RunRecord>
  /** True if a call sent a request of the write, but ended before it learned the outcome. */
  isLeftOpen?: boolean
  /**
   * The values of the request that the wallet has chosen, such as a document's salt. The values stay unchanged while a
   * request with these values can still have an effect.
   */
  choices?: Choices
  /** The time in Unix seconds at which the wallet chose the values in `choices`. */
  chosenAt?: number
  /**
   * The amount of the write, in base units of USDC, that counts toward the limits: the price, plus any other amount
   * that the write commits or pays out.
   */
  counted: string
  /** The payment authorization that was signed last; null if none was signed. */
  payment: SignedPayment | null
  /**
   * The payment authorizations that the wallet signed for this write before `payment`. If the facts of the task change,
   * the write can need a different contract call. The wallet then signs a new payment for the new call.
   */
  earlierPayments?: SignedPayment[]
  /**
   * The latest time, in Unix seconds, at which an unanswered request of this write may still reach the service. Counts
   * only the requests of client calls that have ended; for a call that is still running, see `runs`. Null if every
   * request was answered.
   */
  unansweredUntil: number | null
  txHash: string | null
  /** The time of completion, in Unix milliseconds. Present only for a completed write. */
  completedAt?: number
  /**
   * True if the write completed without a payment, according to the service. The amount still counts toward the limits
   * while the signed payment authorization can be used.
   */
  isUnpaid?: boolean
  /** True if a model decided to make the write, without a user's confirmation. */
  isUnattended?: boolean
  /** The amounts of tokens other than USDC that the write takes from the wallet or from a vault. */
  tokens?: TokenAmount[]
}

/** The values that the wallet may choose itself when it builds a request. */
export interface Choices {
  documentSalt?: string
  createdAt?: string
  minPrice?: string
}

/** A payment authorization that the wallet has signed or is about to sign. The signature itself is not stored. */
export interface SignedPayment {
  nonce: Hex
  /** The amount, in base units of USDC. */
  value: string
  /** The time in Unix seconds at which the authorization expires. */
  validBefore: number
  /**
   * The salt from which the nonce was computed. Present only for a bound payment (a payment for one contract call
   * only).
   */
  salt?: Hex
  /** The part of a bound payment that the contract takes into escrow, in base units of USDC. */
  escrow?: string
}

/** An amount of a token other than USDC. */
export interface TokenAmount {
  /** The token's address, lower case; `unknown` if no node has returned the address. */
  token: string
  /** The amount in base units of the token, as a decimal string. */
  amount: string
}

/** The record of one client call (a call of a function such as `client.write`) that is working on a write. */
export interface RunRecord {
  /** The name of the process that made the call. */
  owner: string
  /** The latest time, in Unix milliseconds, at which the call can still be working on the write. */
  workUntil: number
  /**
   * The latest time, in Unix seconds, at which a request of the call may still reach the service. Null if the call has
   * sent no request.
   */
  unansweredUntil: number | null
}

/** The amounts that the wallet's writes have committed or paid out for one task. */
export interface TaskRecord {
  /** The amount in base units of USDC that counts toward the task's limit. */
  counted: string
  /** The highest reward that this wallet has given to the task, in base units of USDC. Null for another wallet’s task. */
  reward: string | null
  /**
   * The amounts of tokens other than USDC that the task's creation took. The task pays out these tokens with the
   * reward.
   */
  tokens?: TokenAmount[]
}

/** Everything that is stored for one wallet: the journal by idempotency key, and the task records by task id. */
export interface WalletState {
  entries: Record<string, JournalEntry>
  tasks: Record<string, TaskRecord>
}

/** The settings of a wallet. No argument and no server can change them. */
export interface WalletConfig {
  limits: Limits
  /**
   * The maximum amount, in base units of USDC, that models' writes may commit or pay out in 24 hours without a user's
   * confirmation.
   */
  askAbove: bigint
  /** The receiver of withdrawals; null if none is configured. */
  withdrawalAddress: string | null
  /** The hook contracts that this wallet's tasks may use, addresses in lower case. */
  hooks: string[]
  /** The limits for tokens that task creations take from vaults, by the token's address in lower case. */
  tokenLimits: Record<string, TokenLimits>
}

/** Stores the states of wallets. `fileStore` and `webStore` create a store. */
export interface Store {
  /**
   * Runs `change` on the wallet's state while all other processes that use the store wait. The result is durable when
   * the promise resolves. `change` must be quick and must not send requests.
   * @throws StoreError when the state cannot be locked or written; the caller must then send nothing
   */
  update<T>(wallet: string, change: (state: WalletState) => T): Promise<T>
  /**
   * Reads the configuration of a wallet.
   * @throws StoreError when the configuration cannot be read
   */
  config(wallet: string): Promise<WalletConfig>
  /** The name of this process. The journal stores this name with every client call that runs in this process. */
  owner: string
  /** Reports whether the process with this name may still be running. */
  isAlive(owner: string): boolean
}

/** Thrown when the state of a wallet cannot be locked, read or written. */
export class StoreError extends Error {
  override name = 'StoreError'
}

/** Returns the state of a wallet that has made no writes. */
export function emptyState(): WalletState {
  return { entries: {}, tasks: {} }
}

/** Adds the missing field `runs` to entries that an earlier version has stored. */
export function withRuns(state: WalletState): WalletState {
  for (const entry of Object.values(state.entries)) entry.runs ??= {}
  return state
}
