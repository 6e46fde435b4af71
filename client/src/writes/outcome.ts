import type { IntentStatus } from '../../../protocol/intent-statuses.ts'
import type { Reason } from '../../../protocol/reasons.ts'
import type { ContractCall } from '../../../protocol/relay.ts'
import type { components } from '../api/openapi.ts'
import type { Choices } from '../store/store.ts'

/** A condition by which the service refuses. Example: 'wrong_state'. */
export type ErrorDetail = components['schemas']['Error']['service']['detail']

/** A reason of the service. Example: 'payment_preflight_rejected'. */
export type ErrorReason = Reason

/** A reason of the client's own; the README has what each means. */
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

/** Why nothing was done. */
export interface Refusal {
  /** The service's reason, or one of the client's own. A newer service can name one that the type lacks. */
  reason: ErrorReason | ClientReason
  /**
   * The condition by which the service refused, to branch on; absent where the client itself refused. A newer service can name
   * one that the type lacks. Its page is `/docs/errors/<detail>` of the service.
   */
  detail?: ErrorDetail
  message: string
  /** HTTP status; null: the client itself refused. */
  status: number | null
  /** Seconds to wait before the next try, where the service says so. */
  retryAfterSeconds?: number
  /** The whole body of the answer. */
  error?: unknown
}

/**
 * The outcome of a write. `refused`: nothing was done and nothing is charged. `inFlight`: the service has it and has not
 * decided. `unknown`: the service may have it; the same arguments (or key) sent again continue it, never a second one.
 */
export type Outcome<Answer> = Joined &
  (
    | {
        kind: 'completed'
        key: string
        /** Null: the outcome was read from its record, which has no answer. */
        answer: Answer | null
        txHash: string | null
        /** The task that a creation made. */
        taskId: string | null
        /** Base units. */
        paid: bigint
      }
    | ({ kind: 'refused'; key: string | null /** False: this key is used up. */; isKeyUsable: boolean } & Refusal)
    | { kind: 'inFlight'; key: string; status: IntentStatus; txHash: string | null; message: string }
    | { kind: 'unknown'; key: string; message: string }
  )

/** `joined`: an equal call had begun the write, and may be at work on it still; there is one write for both. */
interface Joined {
  joined?: true
}

/** Movements of a write beside USDC: a clause each for the question to a person, and whether a person must agree. */
export interface AssetNotice {
  clauses: string[]
  needsPerson: boolean
}

/** What a write would cost and decide now. Nothing was signed. */
export interface Preview {
  kind: 'preview'
  /** Base units; null: the service says it only when the write is sent. */
  price: bigint | null
  /** What is counted against the limits, base units. */
  counted: bigint
  /** Where the payment would go; of a withdrawal of USDC, where the USDC would go. */
  payTo: string
  /** Movements beside USDC, and whether a person must agree to that. */
  assets: AssetNotice
  /** The call of the contracts that the write comes to; null: it is not known, as `callProblem` says. */
  call: ContractCall | null
  callProblem: string | null
  /** What the call is made of beside the arguments, chosen by the client: pass it on with the call as `agreed`. */
  choices: Choices
  /** A node has simulated the act, and the contracts would carry it out; false: that is not known. */
  isActSimulated: boolean
}
