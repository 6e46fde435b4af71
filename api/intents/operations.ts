import type { OperationName } from '../../protocol/derive.ts'
import { operations as table } from '../../protocol/operations.ts'
import { type OwnOperationName, ownOperations } from '../../protocol/own-operations.ts'
import type { CallKind } from '../../protocol/relay.ts'

/** The name of an operation in intents and error bodies (interface specification, "Intents"). */
export type Operation = OperationName | OwnOperationName

const calls: Readonly<Record<Operation, { kind: CallKind }>> = { ...table, ...ownOperations }

/** The names of all operations. Operations of users' requests precede those of the service itself. */
export const operations = Object.keys(calls) as [Operation, ...Operation[]]

/** Returns the kind of an operation's call. Example: `kindOf('tasks.create')` returns `'market'`. */
export function kindOf(operation: Operation): CallKind {
  return calls[operation].kind
}
