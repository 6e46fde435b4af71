import type { CallContext, FactNamesOf, InputOf, RequestOf } from './operation.ts'
import { operations } from './operations.ts'
import type { ContractCall } from './relay.ts'

type Operations = typeof operations
/** The name of an operation in the table `operations`. */
export type OperationName = keyof Operations

/**
 * The functions of the operation `Name`, with the types of that operation. Code that is generic in `Name` can therefore
 * call them without a type assertion.
 */
interface Functions<Name extends OperationName> {
  normalise: (request: RequestOf<Operations[Name]>) => InputOf<Operations[Name]>
  call: (input: InputOf<Operations[Name]>, context: CallContext<FactNamesOf<Operations[Name]>>) => ContractCall
}
const functions: { readonly [Name in OperationName]: Functions<Name> } = operations

/**
 * Normalises the request of an operation.
 * Example: `normalise('tasks.accept', { taskId: '0x9F..', worker: '0xA1..' })` is `{ taskId: '0x9f..', worker: '0xa1..'
 * }`.
 */
export function normalise<Name extends OperationName>(
  name: Name,
  request: RequestOf<Operations[Name]>,
): InputOf<Operations[Name]> {
  return functions[name].normalise(request)
}

/**
 * Encodes the contract call of a normalised request. The dry run and the transaction use the same call.
 * Example: for `tasks.accept`, `encodeCall('tasks.accept', input, { deployment, actor, facts: { reward: 5_000_000n,
 * deliverables: ['0x11..'] } })` has the market as `target` and 0n as `escrowAmount`.
 */
export function encodeCall<Name extends OperationName>(
  name: Name,
  input: InputOf<Operations[Name]>,
  context: CallContext<FactNamesOf<Operations[Name]>>,
): ContractCall {
  return functions[name].call(input, context)
}
