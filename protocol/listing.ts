import type { AnyEntry, FactsOf, InputOf, RequestOf } from './operation.ts'

/** Gas of a call, without hooks of a task, registries and code outside of the deployment. */
export interface OperationGas {
  /** Gas of a usual call: up to it a paid write that completes gives its unit of `writes` back. */
  typicalGas: number
  /** The most that is relayed; a larger call is sent directly. */
  gasCeiling: number
  /** Both grow by so much with each award after the first. */
  typicalAwardGas?: number
  ceilingAwardGas?: number
  /** The budget of a day that the call draws on where it is free. */
  freeBudget?: 'exits' | 'entries'
}

/** Reasons for which a call needs more gas than its operation. */
export interface GasAllowance {
  /** The most awards that it may pay; 1 unless given. */
  awards?: number
  /** Hooks of the requester's own in a task that it creates. */
  ownHooks?: number
  /** Gas that must be left when it reaches a registry or a token, beyond what it uses. */
  outsideGas?: bigint
}

/**
 * The part of an entry that no call is made of: prose, gas, an example. It is an export of its own, because the browser build
 * of the client leaves it out.
 */
export interface ListingOf<E extends AnyEntry> {
  summary: string
  description: string
  gas: OperationGas
  /** Absent: one award, and none of the others. */
  allowance?: (input: InputOf<E>, facts: FactsOf<E>) => GasAllowance
  /** A request, in the case in which callers send it. */
  example: RequestOf<E>
}
