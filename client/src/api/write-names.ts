import type { operations } from './openapi.ts'
import { relayedWrites } from './relayed-writes.ts'

/** A relayed write, by its operation id in the service's OpenAPI document. Example: `'createTask'`. */
export type WriteName = keyof typeof relayedWrites

/** Operation ids that the service relays to the chain. Example: `writeNames.includes('createTask')` is `true`. */
export const writeNames = Object.keys(relayedWrites) as readonly WriteName[]

type PathOf<Name extends WriteName> = operations[Name]['parameters'] extends { path: infer Path } ? Path : unknown
type BodyOf<Name extends WriteName> = operations[Name] extends {
  requestBody?: { content: { 'application/json': infer Body } }
}
  ? Body
  : unknown
/** Fields that the client fills in. */
type Own<Name extends WriteName> = 'signature' | 'taskId' | NonNullable<(typeof relayedWrites)[Name]>

/** Arguments that differ from the request body of the document. */
interface SpecialInputs {
  /** `to`: the expected receiver; required unless the wallet's configuration has the address. */
  withdraw: { amountBaseUnits: string; to?: string }
  withdrawToken: { to?: string }
  claimSponsoredReward: { vaultId: string; taskId: string; to?: string }
  setBoundOnly: { boundOnly: boolean }
}

/**
 * Arguments of a write: path and body in one object, without the fields that the client fills in. Example of `createTask`: `{
 * description: 'Haiku', reward: '2000000', ... }`.
 */
export type WriteInput<Name extends WriteName> = Name extends keyof SpecialInputs
  ? SpecialInputs[Name]
  : PathOf<Name> & Omit<BodyOf<Name>, Own<Name>>

/** The answer of a completed write. */
export type WriteAnswer<Name extends WriteName> = operations[Name]['responses'][200] extends {
  content: { 'application/json': infer Answer }
}
  ? Answer
  : never
