import type { AnyEntry, FactsOf, InputOf, RequestOf } from './operation.ts'

/**
 * Gas of a call. The gas of hooks, of registries and of other code outside the deployment is not included; see
 * `GasAllowance`.
 */
export interface OperationGas {
  /**
   * Gas of an ordinary call of the operation. A paid write with at most this gas does not count against the rate limit
   * `writes`.
   */
  typicalGas: number
  /** Maximum gas of a call that the service relays. A caller must send a larger call to the chain directly. */
  gasCeiling: number
  /** Gas that each award after the first adds to `typicalGas`; 0 unless given. */
  typicalAwardGas?: number
  /** Gas that each award after the first adds to `gasCeiling`; 0 unless given. */
  ceilingAwardGas?: number
  /**
   * The daily gas budget against which a free call counts. `exits`: the budget for calls that pay out or withdraw
   * money. `entries`: the budget for all other free calls.
   */
  freeBudget?: 'exits' | 'entries'
}

/** Properties of a call because of which the call needs more gas than `OperationGas` states. */
export interface GasAllowance {
  /** Maximum number of awards that the call may pay; 1 unless given. */
  awards?: number
  /** Number of hooks that the requester attaches to the task of the call; 0 unless given. */
  ownHooks?: number
  /**
   * Additional gas that must be available for a call of a registry or a token; 0n unless given. A call need not use all
   * of this gas.
   */
  outsideGas?: bigint
}

/** The documentation of an operation: prose, gas and an example. */
// The documentation is a separate export, because a call does not need it. The browser build of the client leaves it
// out.
export interface ListingOf<E extends AnyEntry> {
  summary: string
  description: string
  gas: OperationGas
  /**
   * Returns the reasons why a call needs more gas than `gas` states. Absent if every call pays at most one award,
   * creates no task with hooks and needs no extra gas.
   */
  allowance?: (input: InputOf<E>, facts: FactsOf<E>) => GasAllowance
  /** An example of a request. Hex digits may have any case. */
  example: RequestOf<E>
}
