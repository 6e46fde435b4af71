import type { operations } from './openapi.ts'
import { relayedWrites } from './relayed-writes.ts'

/** The name of a relayed write: the operation id in the service's OpenAPI document. Example: `'createTask'`. */
export type WriteName = keyof typeof relayedWrites

/**
 * The operation ids of all writes that the service relays to the chain. Example: `writeNames.includes('createTask')` is
 * `true`.
 */
export const writeNames = Object.keys(relayedWrites) as readonly WriteName[]

type PathOf<Name extends WriteName> = operations[Name]['parameters'] extends { path: infer Path } ? Path : unknown
type BodyOf<Name extends WriteName> = operations[Name] extends {
  requestBody?: { content: { 'application/json': infer Body } }
}
  ? Body
  : unknown
/** Names of the request fields that the client fills in. */
type Own<Name extends WriteName> = 'signature' | 'taskId' | NonNullable<(typeof relayedWrites)[Name]>

/**
 * The arguments of the writes for which the OpenAPI document describes a different request body. The client itself
 * builds the request body of each of these writes.
 */
interface SpecialInputs {
  /**
   * `to`: the account to which the caller wants to withdraw. The write is refused if the wallet's withdrawal address is
   * a different account. `to` is required if the client's configuration of the wallet has no withdrawal address.
   */
  withdraw: { amountBaseUnits: string; to?: string }
  withdrawToken: { to?: string }
  claimSponsoredReward: { vaultId: string; taskId: string; to?: string }
  setBoundOnly: { boundOnly: boolean }
}

/**
 * The arguments of a write: the path parameters and the body fields in one object, without the fields that the client
 * fills in. Example for `createTask`: `{ description: 'Haiku', reward: '2000000', ... }`.
 */
export type WriteInput<Name extends WriteName> = Name extends keyof SpecialInputs
  ? SpecialInputs[Name]
  : PathOf<Name> & Omit<BodyOf<Name>, Own<Name>>

/** The service's answer (status 200) to a completed write. */
export type WriteAnswer<Name extends WriteName> = operations[Name]['responses'][200] extends {
  content: { 'application/json': infer Answer }
}
  ? Answer
  : never
