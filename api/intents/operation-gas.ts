import { catalogue } from '../../protocol/catalogue.ts'
import type { OperationGas } from '../../protocol/listing.ts'
import { ownOperations } from '../../protocol/own-operations.ts'
import type { Operation } from './operations.ts'

const listings: Readonly<Record<Operation, { gas: OperationGas }>> = { ...catalogue, ...ownOperations }

/**
 * Returns the gas of an operation, by the measured figures of docs/gas.md: typical figures leave room for accounts that USDC and
 * the market see for the first time, ceilings for the largest input (contracts/snapshots/largest.json). docs/limits.md has the
 * same table. Example: `operationGasOf('tasks.cancel').gasCeiling` is 350,000.
 */
export function operationGasOf(operation: Operation): OperationGas {
  return listings[operation].gas
}

/** Gas that the market's own hooks take of a usual call, and of each award. */
const HOOK_GAS = 60_000
const HOOK_AWARD_GAS = 140_000

/** Facts from which the gas of a call follows. */
export interface GasFacts {
  operation: Operation
  /** The most awards that it may pay. */
  awards: number
  /** The market's own hooks that it runs. */
  hookCount: number
}

/** Returns the gas up to which a call is a usual one. Example: a creation without hooks: 330,000. */
export function typicalGasOf({ operation, awards, hookCount }: GasFacts): bigint {
  const { typicalGas, typicalAwardGas } = operationGasOf(operation)
  const further = typicalAwardGas === undefined ? 0 : typicalAwardGas * Math.max(0, awards - 1)
  return BigInt(typicalGas + further + hookCount * (HOOK_GAS + HOOK_AWARD_GAS * awards))
}

/**
 * Returns the most gas of a call that runs the deployment's code alone.
 * @param hooksGas what its hooks may take, by the stipends of the market
 * @param registryGas what must be left when it calls a registry
 */
export function gasCeilingOf(
  { operation, awards }: Pick<GasFacts, 'operation' | 'awards'>,
  { hooksGas, registryGas }: { hooksGas: bigint; registryGas: bigint },
): bigint {
  const { gasCeiling, ceilingAwardGas } = operationGasOf(operation)
  const further = ceilingAwardGas === undefined ? 0 : ceilingAwardGas * Math.max(0, awards - 1)
  return BigInt(gasCeiling + further) + hooksGas + registryGas
}
