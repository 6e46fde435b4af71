import type { operations } from './openapi.ts'
import { relayedWrites } from './relayed-writes.ts'

/** A relayed write, by its operation id in the service's document. */
export type WriteName = keyof typeof relayedWrites

/** The operations that the service relays to the chain. */
export const writeNames = Object.keys(relayedWrites) as readonly WriteName[]

type PathOf<Name extends WriteName> = operations[Name]['parameters'] extends { path: infer Path } ? Path : unknown
type BodyOf<Name extends WriteName> = operations[Name] extends {
  requestBody?: { content: { 'application/json': infer Body } }
}
  ? Body
  : unknown
/** Filled in by the client. */
type Own<Name extends WriteName> = 'signature' | 'taskId' | NonNullable<(typeof relayedWrites)[Name]>

/** What cannot be taken from the document as it is. */
interface SpecialInputs {
  /** `to`: where the caller believes the money goes; needed unless the wallet's configuration has the address. */
  withdraw: { amountBaseUnits: string; to?: string }
  withdrawToken: { to?: string }
  claimSponsoredReward: { vaultId: string; taskId: string; to?: string }
  setBoundOnly: { boundOnly: boolean }
}

/** The arguments of a write: path and body in one object, without what the client adds itself. */
export type WriteInput<Name extends WriteName> = Name extends keyof SpecialInputs
  ? SpecialInputs[Name]
  : PathOf<Name> & Omit<BodyOf<Name>, Own<Name>>

/** The answer of a completed write. */
export type WriteAnswer<Name extends WriteName> = operations[Name]['responses'][200] extends {
  content: { 'application/json': infer Answer }
}
  ? Answer
  : never
