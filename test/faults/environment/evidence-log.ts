import type { Address, Hex } from 'viem'
import type { FaultMode, PreparedWrite } from '../client/operations.ts'
import type { Outcome } from '../client/outcome.ts'

/** One request of a client, and its answer. */
export interface HttpEntry {
  faultCase: string
  /** Index of the API process. */
  replica: number
  /** Milliseconds since the epoch. */
  startedAt: number
  endedAt: number
  method: string
  path: string
  /** The idempotency key it carried or asked for; null: neither. */
  key: string | null
  carriesPayment: boolean
  /** Null: no answer. */
  status: number | null
  /** Why there was no answer. */
  failure: string | null
  /** Parsed, when it was JSON. */
  body: unknown
  /** `transaction` of PAYMENT-RESPONSE. */
  settledIn: Hex | null
}

/** A write from its client's side. */
export interface WriteEntry {
  id: string
  mode: FaultMode
  key: string
  /** Lower case. */
  actor: Address
  charge: bigint
  effect: PreparedWrite['effect']
  /** Nonces of the authorizations signed for it, in order. */
  nonces: Hex[]
  /** Null while it is under way. */
  outcome: Outcome | null
  /** It runs code of other accounts: the daily gas quota may not suffice for it. */
  isForeign: boolean
}

/** The properties of a fault case that change what the checker admits. */
export interface FaultCaseEntry {
  name: string
  isOutage: boolean
  /** Wei for foreign calls, of a day and for each USDC of fees, as its processes are set. */
  gas: { weiPerDay: bigint; weiPerFee: bigint }
}

/** An API process that ended without a signal of the fault case and without a failpoint. */
export interface UnexpectedExit {
  faultCase: string
  replica: number
  /** `code 1`, `signal SIGKILL`. */
  end: string
}

/** What happened in an environment, in order. Append-only. */
export interface EvidenceLog {
  faultCases: FaultCaseEntry[]
  http: HttpEntry[]
  writes: WriteEntry[]
  unexpectedExits: UnexpectedExit[]
  /** Base units minted to each wallet. */
  minted: Map<Address, bigint>
  foreignTransactions: Set<Hex>
  foreignSettlements: Set<Hex>
}

export function createEvidenceLog(): EvidenceLog {
  return {
    faultCases: [],
    http: [],
    writes: [],
    unexpectedExits: [],
    minted: new Map(),
    foreignTransactions: new Set(),
    foreignSettlements: new Set(),
  }
}
