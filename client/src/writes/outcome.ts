import type { IntentStatus } from '../../../protocol/intent-statuses.ts'
import type { Reason } from '../../../protocol/reasons.ts'
import type { ContractCall } from '../../../protocol/relay.ts'
import type { components } from '../api/openapi.ts'
import type { Choices } from '../store/store.ts'

/** The service's code for the cause of a refusal. Example: `'wrong_state'`. */
export type ErrorDetail = components['schemas']['Error']['service']['detail']

/** The service's reason for a refusal. Example: `'payment_preflight_rejected'`. */
export type ErrorReason = Reason

/** The client's own reason for a refusal. The README explains each reason. */
export type ClientReason =
  | 'call_unknown'
  | 'declined'
  | 'earlier_payment'
  | 'facts_changed'
  | 'insufficient_funds'
  | 'invalid_input'
  | 'invalid_token'
  | 'key_used_up'
  | 'limit_exceeded'
  | 'long_task'
  | 'never_arrived'
  | 'no_account'
  | 'no_bound_calls'
  | 'no_store'
  | 'no_withdrawal_address'
  | 'nothing_to_claim'
  | 'person_needed'
  | 'signing_failed'
  | 'task_unreadable'
  | 'terms_changed'
  | 'unavailable'
  | 'unknown_key'
  | 'unreachable'
  | 'would_revert'
  | 'write_failed'
  | 'write_refused'
  | 'write_reserved'
  | 'wrong_challenge'
  | 'wrong_price'
  | 'wrong_withdrawal_address'

/** The reason why a write was not made. Example: `{ reason: 'limit_exceeded', status: null, ... }`. */
export interface Refusal {
  /**
   * The reason, given by the service or by the client. A newer service can return a reason that this type does not
   * contain.
   */
  reason: ErrorReason | ClientReason
  /**
   * The service's code for the cause of the refusal, for decisions by a program. Absent if the client refused. A newer
   * service can return codes that this type does not contain. The page `/docs/errors/<detail>` explains each code.
   */
  detail?: ErrorDetail
  message: string
  /** The HTTP status; null if the client refused. */
  status: number | null
  /** The number of seconds to wait before the next attempt, if the service names one. */
  retryAfterSeconds?: number
  /** The error body of the service's answer, without the payment challenge. */
  error?: unknown
}

/**
 * The outcome of a write. `refused`: the write was not made, and nothing was charged. `inFlight`: the service has the
 * write, but the outcome is not final. `unknown`: the service may or may not have received the write.
 *
 * After `inFlight` or `unknown`, a call with the same arguments or key continues the write.
 */
export type Outcome<Answer> = Joined &
  (
    | {
        kind: 'completed'
        key: string
        /**
         * The service's answer; null if the outcome comes from the record of the write, which does not contain the
         * answer.
         */
        answer: Answer | null
        txHash: string | null
        /** The id of the task that the write created; null if the write creates no task. */
        taskId: string | null
        /** The amount in base units of USDC that was paid. */
        paid: bigint
      }
    | ({ kind: 'refused'; key: string | null /** False: this key is used up. */; isKeyUsable: boolean } & Refusal)
    | { kind: 'inFlight'; key: string; status: IntentStatus; txHash: string | null; message: string }
    | { kind: 'unknown'; key: string; message: string }
  )

/**
 * `joined`: true if an earlier call with the same arguments began the write and may still be working on the write. This
 * call then joins the earlier call, and both calls return the same outcome.
 */
interface Joined {
  joined?: true
}

/**
 * Notices for the user, one clause each. A notice reports a fact beside the amounts of USDC. Examples: a movement of
 * another asset, or the duration of a task that stays open for more than 90 days. `needsPerson`: true if the user must
 * agree.
 */
export interface AssetNotice {
  clauses: string[]
  needsPerson: boolean
}

/**
 * The result of a dry run: the cost of a write, and the amounts that the write would commit or pay out now. The dry run
 * signed nothing.
 */
export interface Preview {
  kind: 'preview'
  /** The price, in base units of USDC; null if the service states the price only when the write is sent. */
  price: bigint | null
  /** The amount in base units of USDC that would count toward the limits. */
  counted: bigint
  /** The receiver of the payment. For a withdrawal of USDC, the receiver of the withdrawn USDC. */
  payTo: string
  /**
   * Notices about movements of assets other than USDC, and about the duration of a task that stays open for more than
   * 90 days. Also tells whether a user must agree.
   */
  assets: AssetNotice
  /** The contract call of the write; null if the call is unknown. `callProblem` then contains the reason. */
  call: ContractCall | null
  callProblem: string | null
  /**
   * The values that the client chose for the call, such as a document's salt. To make the same call, pass `choices` and
   * `call` as the option `agreed`.
   */
  choices: Choices
  /** True if a node simulated the call successfully. False if no node simulated the call. */
  isActSimulated: boolean
}
