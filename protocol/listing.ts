import type { AnyEntry, FactsOf, InputOf, RequestOf } from './operation.ts'

/** Gas of a call, without hooks of a task, registries and code outside of the deployment. */
export interface OperationGas {
  /** Gas of a usual call: a paid write that completes with at most so much refunds its unit of `writes`. */
  typicalGas: number
  /** Most gas that is relayed; a larger call is sent directly. */
  gasCeiling: number
  /** Gas that each award after the first adds to `typicalGas` and, in the next field, to `gasCeiling`. */
  typicalAwardGas?: number
  ceilingAwardGas?: number
  /** Budget of a day that a free call consumes. */
  freeBudget?: 'exits' | 'entries'
}

/** Reasons for which a call needs more gas than its operation. */
export interface GasAllowance {
  /** Most awards that the call may pay; 1 unless given. */
  awards?: number
  /** Hooks of the requester in a task that the call creates. */
  ownHooks?: number
  /** Gas that the call must have left for a registry or a token, beyond what it uses. */
  outsideGas?: bigint
}

/**
 * The part of an entry that no call needs: prose, gas, an example. It is an export of its own, because the browser build of the
 * client leaves it out.
 */
export interface ListingOf<E extends AnyEntry> {
  summary: string
  description: string
  gas: OperationGas
  /** Returns the allowance of a call; absent: one award, and none of the others. */
  allowance?: (input: InputOf<E>, facts: FactsOf<E>) => GasAllowance
  /** A request, in the case in which callers send it. */
  example: RequestOf<E>
}
