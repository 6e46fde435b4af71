import type { IntentStatus } from '../../../protocol/intent-statuses.ts'
import type { Reason } from '../../../protocol/reasons.ts'
import type { ContractCall } from '../../../protocol/relay.ts'
import type { components } from '../api/openapi.ts'
import type { Choices } from '../store/store.ts'

/** A condition that the service refused by. Example: 'wrong_state'. */
export type ErrorDetail = components['schemas']['Error']['service']['detail']

/** A refusal reason of the service. Example: 'payment_preflight_rejected'. */
export type ErrorReason = Reason

/** A refusal reason of the client; the README explains each. */
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

/** The reason why nothing was done. Example: `{ reason: 'limit_exceeded', status: null, ... }`. */
export interface Refusal {
  /** Reason of the service or of the client. A newer service can name one that the type lacks. */
  reason: ErrorReason | ClientReason
  /**
   * Condition that the service refused by, for branching; absent when the client refused. A newer service can name one that the
   * type lacks. The service explains it at `/docs/errors/<detail>`.
   */
  detail?: ErrorDetail
  message: string
  /** HTTP status; null: the client refused. */
  status: number | null
  /** Seconds before the next try, when the service names them. */
  retryAfterSeconds?: number
  /** The whole body of the answer. */
  error?: unknown
}

/**
 * The outcome of a write. `refused`: nothing was done or charged. `inFlight`: the service has it and has not decided. `unknown`:
 * the service may have it. The same arguments or key, sent again, continue that write and never make a second one.
 */
export type Outcome<Answer> = Joined &
  (
    | {
        kind: 'completed'
        key: string
        /** Answer of the service; null: the outcome comes from the write's record, which has no answer. */
        answer: Answer | null
        txHash: string | null
        /** Id of the created task. */
        taskId: string | null
        /** Amount paid, base units. */
        paid: bigint
      }
    | ({ kind: 'refused'; key: string | null /** False: this key is used up. */; isKeyUsable: boolean } & Refusal)
    | { kind: 'inFlight'; key: string; status: IntentStatus; txHash: string | null; message: string }
    | { kind: 'unknown'; key: string; message: string }
  )

/** `joined`: an equal call had begun the write and may still work on it. Both calls share one write. */
interface Joined {
  joined?: true
}

/** Movements of other assets than USDC, a clause each for the question to the user, and whether the user must agree. */
export interface AssetNotice {
  clauses: string[]
  needsPerson: boolean
}

/** A dry run: cost and decisions of a write at this moment. Nothing was signed. */
export interface Preview {
  kind: 'preview'
  /** Price, base units; null: the service states it only when the write is sent. */
  price: bigint | null
  /** Amount that counts against the limits, base units. */
  counted: bigint
  /** Receiver of the payment; for a withdrawal of USDC, receiver of the USDC. */
  payTo: string
  /** Movements of other assets than USDC, and whether a user must agree. */
  assets: AssetNotice
  /** The contract call of the write; null: unknown, with the reason in `callProblem`. */
  call: ContractCall | null
  callProblem: string | null
  /** Values of the call that the client chose, besides the arguments. Pass them with the call as `agreed`. */
  choices: Choices
  /** True: a node simulated the call, and the contracts would execute it. False: unknown. */
  isActSimulated: boolean
}
