import { catalogue } from '../../protocol/catalogue.ts'
import type { OperationGas } from '../../protocol/listing.ts'
import { ownOperations } from '../../protocol/own-operations.ts'
import type { Operation } from './operations.ts'

const listings: Readonly<Record<Operation, { gas: OperationGas }>> = { ...catalogue, ...ownOperations }

/**
 * Returns the gas figures of an operation (measured in docs/build/gas.md). The typical figures include the additional
 * gas for accounts that are new to USDC and the market. The ceilings are for the largest input. Example:
 * `operationGasOf('tasks.cancel').gasCeiling` is 350,000.
 */
export function operationGasOf(operation: Operation): OperationGas {
  return listings[operation].gas
}

/** The gas of one default hook in a usual call, without the gas for awards. */
const HOOK_GAS = 60_000
/** The additional gas of one default hook for each award. */
const HOOK_AWARD_GAS = 140_000

/** The facts that determine the gas of a call. */
export interface GasFacts {
  operation: Operation
  /** The largest number of awards that the call makes. */
  awards: number
  /** The number of the market's default hooks. */
  hookCount: number
}

/** Returns the highest gas of a call that still counts as usual. Example: 330,000 for a task creation without hooks. */
export function typicalGasOf({ operation, awards, hookCount }: GasFacts): bigint {
  const { typicalGas, typicalAwardGas } = operationGasOf(operation)
  const furtherGas = typicalAwardGas === undefined ? 0 : typicalAwardGas * Math.max(0, awards - 1)
  return BigInt(typicalGas + furtherGas + hookCount * (HOOK_GAS + HOOK_AWARD_GAS * awards))
}

/**
 * Returns the most gas that a plain call may use. A plain call runs only the deployment's code.
 * @param hooksGas the gas that the market must have for the call's hooks
 * @param registryGas the additional gas if the call calls a registry or a token
 */
export function gasCeilingOf(
  { operation, awards }: Pick<GasFacts, 'operation' | 'awards'>,
  { hooksGas, registryGas }: { hooksGas: bigint; registryGas: bigint },
): bigint {
  const { gasCeiling, ceilingAwardGas } = operationGasOf(operation)
  const furtherGas = ceilingAwardGas === undefined ? 0 : ceilingAwardGas * Math.max(0, awards - 1)
  return BigInt(gasCeiling + furtherGas) + hooksGas + registryGas
}
