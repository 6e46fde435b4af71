import type { AnyEntry, FactsOf, InputOf, RequestOf } from './operation.ts'

/**
 * Gas of a call. The gas of code outside the deployment (hooks, registries and tokens) is not included: see
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
   * The daily gas budget of a call that the sender does not pay for. `exits`: the budget of calls that pay out or
   * withdraw money. `entries`: the budget of all other calls without a payment.
   */
  freeBudget?: 'exits' | 'entries'
}

/**
 * Properties that raise the gas of a call above `typicalGas` and `gasCeiling` of `OperationGas`. Example:
 * `{ awards: 3 }` for a call that pays three awards.
 */
export interface GasAllowance {
  /** Maximum number of awards that the call may pay; 1 unless given. */
  awards?: number
  /** Number of hooks that the requester attaches to the task of the call; 0 unless given. */
  ownHooks?: number
  /**
   * Additional gas that must be available because the call calls a registry or a token; 0n unless given. The registry
   * or the token may use less gas.
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
   * Returns those properties of a call which raise the gas of the call above `gas`. Example: `{ awards: 2 }` for an
   * acceptance of two submissions. This function is absent if each call of the operation pays at most one award,
   * attaches no hooks to a task and calls no code outside the deployment.
   */
  allowance?: (input: InputOf<E>, facts: FactsOf<E>) => GasAllowance
  /** An example of a request. Hex digits may have any case. */
  example: RequestOf<E>
}
