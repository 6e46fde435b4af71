import { operations as table } from '../../../protocol/operations.ts'
import type { operations } from './openapi.ts'

type Table = typeof table
/** The entry of a write in the table of operations. */
type EntryOf<Name> = Extract<Table[keyof Table], { operationId: Name }>

/** A relayed write, by its operation id in the service's document. */
export type WriteName = Table[keyof Table]['operationId']

/** The operations that the service relays to the chain, by their ids in the document. */
export const writeNames: readonly WriteName[] = Object.values(table).map(({ operationId }) => operationId)

type PathOf<Name extends WriteName> = operations[Name]['parameters'] extends { path: infer Path } ? Path : unknown
type BodyOf<Name extends WriteName> = operations[Name] extends {
  requestBody?: { content: { 'application/json': infer Body } }
}
  ? Body
  : unknown
/** Filled in by the client. */
type Own<Name extends WriteName> = 'signature' | 'taskId' | NonNullable<EntryOf<Name>['actorField']>

/** What cannot be taken from the document as it is. */
interface SpecialInputs {
  /** `to`: where the caller believes the money goes; needed unless the wallet's configuration has the address. */
  withdraw: { amountBaseUnits: string; to?: string }
  withdrawToken: { to?: string }
  claimSponsoredReward: { vaultId: string; taskId: string; to?: string }
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
