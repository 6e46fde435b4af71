import { catalogue } from '../../protocol/catalogue.ts'
import type { OperationName } from '../../protocol/derive.ts'
import type { OperationGas } from '../../protocol/listing.ts'
import type { Operation } from './operations.ts'

const exit = { freeBudget: 'exits' } as const

/**
 * The gas of the operations that the table does not have yet, by the measured figures of docs/gas.md: typical figures leave
 * room for accounts that USDC and the market see for the first time, ceilings for the largest input
 * (contracts/snapshots/largest.json). docs/limits.md has the same table.
 */
const unlistedGas: Readonly<Record<Exclude<Operation, OperationName>, OperationGas>> = {
  'wallet.pushCredit': { typicalGas: 150_000, gasCeiling: 350_000, ...exit },
  'wallet.withdraw': { typicalGas: 120_000, gasCeiling: 350_000, ...exit },
  'wallet.withdrawToken': { typicalGas: 180_000, gasCeiling: 400_000, ...exit },
  'sponsoredTaskVaults.claim': { typicalGas: 200_000, gasCeiling: 600_000, ...exit },
  // The keeper's own: its limits are in docs/vaults.md.
  'sponsoredTaskVaults.settle': { typicalGas: 200_000, gasCeiling: 3_000_000 },
  'sponsoredTaskVaults.reconcile': { typicalGas: 200_000, gasCeiling: 3_000_000 },
  'identity.register': { typicalGas: 420_000, gasCeiling: 700_000 },
  // For a signed device: counted by the limits of mints.
  'identity.mint': { typicalGas: 420_000, gasCeiling: 700_000 },
}

/** Returns the gas of an operation. Example: `operationGasOf('tasks.cancel').gasCeiling` is 350,000. */
export function operationGasOf(operation: Operation): OperationGas {
  return isListed(operation) ? catalogue[operation].gas : unlistedGas[operation]
}

function isListed(operation: Operation): operation is OperationName {
  return Object.hasOwn(catalogue, operation)
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
