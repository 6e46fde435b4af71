import { catalogue } from '../../protocol/catalogue.ts'
import type { OperationGas } from '../../protocol/listing.ts'
import { ownOperations } from '../../protocol/own-operations.ts'
import type { Operation } from './operations.ts'

const listings: Readonly<Record<Operation, { gas: OperationGas }>> = { ...catalogue, ...ownOperations }

/**
 * Returns the gas of an operation, by the measurements of docs/build/gas.md: typical figures include accounts that are
 * new to USDC and the market, ceilings the largest input (contracts/snapshots/largest.json). docs/build/limits.md has
 * the same table. Example: `operationGasOf('tasks.cancel').gasCeiling` is 350,000.
 */
export function operationGasOf(operation: Operation): OperationGas {
  return listings[operation].gas
}

/** The gas of the market's hooks in a usual call, and for each award. */
const HOOK_GAS = 60_000
const HOOK_AWARD_GAS = 140_000

/** The facts that determine the gas of a call. */
export interface GasFacts {
  operation: Operation
  /** The most awards of the call. */
  awards: number
  /** The number of the market's hooks. */
  hookCount: number
}

/** Returns the gas up to which a call is usual. Example: 330,000 for a creation without hooks. */
export function typicalGasOf({ operation, awards, hookCount }: GasFacts): bigint {
  const { typicalGas, typicalAwardGas } = operationGasOf(operation)
  const further = typicalAwardGas === undefined ? 0 : typicalAwardGas * Math.max(0, awards - 1)
  return BigInt(typicalGas + further + hookCount * (HOOK_GAS + HOOK_AWARD_GAS * awards))
}

/**
 * Returns the most gas of a call that runs only the deployment's code.
 * @param hooksGas the gas of its hooks, by the stipends of the market
 * @param registryGas the gas that must be left when it calls a registry
 */
export function gasCeilingOf(
  { operation, awards }: Pick<GasFacts, 'operation' | 'awards'>,
  { hooksGas, registryGas }: { hooksGas: bigint; registryGas: bigint },
): bigint {
  const { gasCeiling, ceilingAwardGas } = operationGasOf(operation)
  const further = ceilingAwardGas === undefined ? 0 : ceilingAwardGas * Math.max(0, awards - 1)
  return BigInt(gasCeiling + further) + hooksGas + registryGas
}
