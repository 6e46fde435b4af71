import type { Address, Hex } from 'viem'
import type { PreparedWrite } from '../client/operations.ts'
import type { Outcome } from '../client/outcome.ts'

/** One request of a client, and what came back. */
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
  /** Why there was none. */
  failure: string | null
  /** Parsed, when it was JSON. */
  body: unknown
  /** `transaction` of PAYMENT-RESPONSE. */
  settledIn: Hex | null
}

/** A write as its client knows it. */
export interface WriteEntry {
  faultCase: string
  id: string
  class: string
  operation: string
  leg: 'paid' | 'signed'
  key: string
  /** Lower case. */
  actor: Address
  charge: bigint
  returned: bigint
  effect: PreparedWrite['effect']
  /** Nonces of the authorizations signed for it, in order. */
  nonces: Hex[]
  /** Null while it is under way. */
  outcome: Outcome | null
  /** It runs code of other accounts: the gas of the day may not suffice for it. */
  isForeign: boolean
  /** It only prepared another write; no fault was injected. */
  isSetup: boolean
}

/** A fault case, as far as it changes what is right. */
export interface FaultCaseEntry {
  name: string
  isOutage: boolean
  /** Wei for foreign calls, of a day and for each USDC of fees, as its processes are set. */
  gas: { weiPerDay: bigint; weiPerFee: bigint }
  startedAt: number
  endedAt: number | null
}

/** An API process that ended without a request to end, where no failpoint was set. */
export interface DeathEntry {
  faultCase: string
  replica: number
  /** `code 1`, `signal SIGKILL`. */
  end: string
}

/** What happened in an environment, written down as it happens. Only ever added to. */
export interface EvidenceLog {
  faultCases: FaultCaseEntry[]
  http: HttpEntry[]
  writes: WriteEntry[]
  deaths: DeathEntry[]
  /** Base units minted to a wallet of the environment. */
  minted: Map<Address, bigint>
  foreignTransactions: Set<Hex>
  foreignSettlements: Set<Hex>
}

export function createEvidenceLog(): EvidenceLog {
  return {
    faultCases: [],
    http: [],
    writes: [],
    deaths: [],
    minted: new Map(),
    foreignTransactions: new Set(),
    foreignSettlements: new Set(),
  }
}
