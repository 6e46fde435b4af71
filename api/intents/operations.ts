import type { OperationName } from '../../protocol/derive.ts'
import { operations as table } from '../../protocol/operations.ts'
import { type OwnOperationName, ownOperations } from '../../protocol/own-operations.ts'
import type { CallKind } from '../../protocol/relay.ts'

/** The name of an operation in intents and error bodies (Interface, "Intents"). */
export type Operation = OperationName | OwnOperationName

const calls: Readonly<Record<Operation, { kind: CallKind }>> = { ...table, ...ownOperations }

/** All names, those that requests make first. */
export const operations = Object.keys(calls) as [Operation, ...Operation[]]

/** Returns the kind of an operation's call. Example: of `tasks.create` it is `market`. */
export function kindOf(operation: Operation): CallKind {
  return calls[operation].kind
}
