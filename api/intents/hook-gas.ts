/**
 * The gas for calls of hooks and registries. The market calls each hook with the fixed amount of gas that
 * contracts/src/libraries/HookLib.sol sets. If less gas is left, the market reverts (`NotEnoughGas`), even if the hook
 * would use less. The gas that a simulation measures would thus be too low as a gas limit.
 */

/**
 * The gas that a call must have left for a default hook with one award: 500,000 for the call of the hook, 100,000 for
 * its award, and 100,000 as a margin for the market's check.
 */
export const DEFAULT_HOOK_GAS = 700_000n
/**
 * The gas that a call must have left for a hook of the requester: 300,000 for the call of the hook, and 50,000 as a
 * margin for the market's check.
 */
export const REQUESTER_HOOK_GAS = 350_000n

/** The most gas for a claim from a vault that no curator approved. The token of the vault may use all of this gas. */
export const UNAPPROVED_CLAIM_GAS = 350_000n

/** The gas of one call of a default hook, without the gas for awards. */
const DEFAULT_CALL_GAS = 500_000n
/** The additional gas of a default hook for each award. */
const GAS_OF_AN_AWARD = 100_000n
/** The most additional gas of default hooks for all awards of one call together. */
const GAS_OF_ALL_AWARDS = 7_500_000n
/**
 * The most calls of one hook in one transaction. An acceptance calls each hook twice: first for approval, then as a
 * notification.
 */
const CALLS_OF_A_HOOK = 2n
const MOST_DEFAULT_HOOKS = 3
const MOST_AWARDS = 50
/** The gas of the largest call without hooks: fifty awards to workers who have no USDC yet. */
const CALL_GAS = 3_000_000n
/** The gas limit of one transaction on Base (EIP-7825). */
const MOST_GAS_OF_A_TRANSACTION = 1n << 24n

/**
 * The divisor for the gas that the callers of a hook keep. At each nested call, the caller keeps 1/64 of its gas
 * (EIP-150). A hook is the fourth nested call, so its callers together keep less than 1/15 of the hook's gas.
 * `hooksGas` therefore adds 1/15 to the gas of the hooks.
 */
const KEPT_BY_CALLERS_DIVISOR = 15n

/** The hooks of the deployment that one call may run. */
export interface DeploymentHooks {
  /** The number of the market's default hooks. */
  count: number
  /** The largest number of awards that the call makes. */
  awards: number
  /** True if the call runs the hook of sponsored tasks. The market calls this hook like a requester's hook. */
  isSponsored: boolean
}

/** Returns the gas that one transaction needs for all calls of these hooks. */
export function hooksGas({ count: hookCount, awards, isSponsored }: DeploymentHooks): bigint {
  const count = BigInt(hookCount)
  const gasOfAwards = count * GAS_OF_AN_AWARD * BigInt(awards)
  const boundedGasOfAwards = gasOfAwards < GAS_OF_ALL_AWARDS ? gasOfAwards : GAS_OF_ALL_AWARDS
  const gasOfSponsored = isSponsored ? CALLS_OF_A_HOOK * REQUESTER_HOOK_GAS : 0n
  const gas = count * CALLS_OF_A_HOOK * DEFAULT_CALL_GAS + boundedGasOfAwards + gasOfSponsored
  return gas + gas / KEPT_BY_CALLERS_DIVISOR
}

/** Returns the most gas that a call may use: `maxRelayGas`, or more if the deployment's hooks in the call need more. */
export function gasWithHooks(maxRelayGas: bigint, hooks: DeploymentHooks): bigint {
  const gas = CALL_GAS + hooksGas(hooks)
  const boundedGas = gas < MOST_GAS_OF_A_TRANSACTION ? gas : MOST_GAS_OF_A_TRANSACTION
  return boundedGas > maxRelayGas ? boundedGas : maxRelayGas
}

/** Returns the gas of the largest transaction that the service may sign. */
export function mostGasOfACall(maxRelayGas: bigint): bigint {
  return gasWithHooks(maxRelayGas, { count: MOST_DEFAULT_HOOKS, awards: MOST_AWARDS, isSponsored: true })
}
