import type { AnyEntry, FactsOf, InputOf, RequestOf } from './operation.ts'

/**
 * Gas of a call. Hooks of a task, registries and other code outside the deployment are not included (`GasAllowance`).
 */
export interface OperationGas {
  /**
   * Gas of an ordinary call. If a paid write completes with at most this gas, its unit of the rate limit `writes` is
   * refunded.
   */
  typicalGas: number
  /** Maximum gas of a call that the service relays. A caller must send a larger call to the chain directly. */
  gasCeiling: number
  /** Gas that each award after the first adds to `typicalGas`; 0 unless given. */
  typicalAwardGas?: number
  /** Gas that each award after the first adds to `gasCeiling`; 0 unless given. */
  ceilingAwardGas?: number
  /**
   * The daily gas budget from which the gas of a free call is taken. `exits` is for calls that pay out or withdraw
   * money, `entries` for all other free calls.
   */
  freeBudget?: 'exits' | 'entries'
}

/** Properties of a call because of which the call needs more gas than `OperationGas` states. */
export interface GasAllowance {
  /** Maximum number of awards that the call may pay; 1 unless given. */
  awards?: number
  /** Number of hooks that the requester chose for the task that the call creates; 0 unless given. */
  ownHooks?: number
  /**
   * Gas that must remain available for a call of a registry or a token, beyond the gas that the call uses; 0n unless
   * given.
   */
  outsideGas?: bigint
}

/**
 * The documentation part of an operation: prose, gas and an example. This part is a separate export, because a call
 * does not need it and the browser build of the client leaves it out.
 */
export interface ListingOf<E extends AnyEntry> {
  summary: string
  description: string
  gas: OperationGas
  /**
   * Returns the properties of the call because of which the call needs more gas than `gas` states. If this function is
   * absent, the call pays at most one award, creates no task with hooks and needs no extra gas for other contracts.
   */
  allowance?: (input: InputOf<E>, facts: FactsOf<E>) => GasAllowance
  /** An example of a request. Its hex digits may have mixed case, because callers may send them so. */
  example: RequestOf<E>
}
