/**
 * The gas for hooks and registries, by the figures of contracts/src/libraries/HookLib.sol. The market calls each with a
 * fixed amount and reverts (`NotEnoughGas`) when less is left, even if the callee uses less. The measured use of a call
 * does not show it.
 */

/** The gas that must be left when the market calls one of its hooks at the award of one worker. */
export const DEFAULT_HOOK_GAS = 700_000n
/** The gas that must be left when the market calls a hook of the requester. */
export const REQUESTER_HOOK_GAS = 350_000n

/** The most gas for the claim of a vault without a curator's approval: its token may take all of it. */
export const UNAPPROVED_CLAIM_GAS = 350_000n

/** The gas of one call of a default hook, in addition for each award that it is notified of, and for all of them. */
const DEFAULT_CALL_GAS = 500_000n
const GAS_OF_AN_AWARD = 100_000n
const GAS_OF_ALL_AWARDS = 7_500_000n
/** The calls of one hook in the longest transaction: an acceptance checks with each hook, then notifies each. */
const CALLS_OF_A_HOOK = 2n
const MOST_DEFAULT_HOOKS = 3
const MOST_AWARDS = 50
/** The gas of the largest call without hooks: awards of fifty workers without an earlier USDC balance. */
const CALL_GAS = 3_000_000n
/** The gas limit of one transaction on Base (EIP-7825). */
const MOST_GAS_OF_A_TRANSACTION = 1n << 24n

/** Each level of calls keeps 1/64 of its gas (EIP-150); the market calls a hook four levels down. */
const KEPT_BY_CALLERS_DIVISOR = 15n

/** The deployment's hooks that a call may run. */
export interface DeploymentHooks {
  /** The number of the market's hooks. */
  count: number
  /** The most awards of the call. */
  awards: number
  /** True for the hook of sponsored tasks, which the market calls like a requester's. */
  isSponsored: boolean
}

/** Returns the gas for all calls of these hooks in one transaction. */
export function hooksGas({ count: hookCount, awards, isSponsored }: DeploymentHooks): bigint {
  const count = BigInt(hookCount)
  const gasOfAwards = count * GAS_OF_AN_AWARD * BigInt(awards)
  const boundedGasOfAwards = gasOfAwards < GAS_OF_ALL_AWARDS ? gasOfAwards : GAS_OF_ALL_AWARDS
  const gasOfSponsored = isSponsored ? CALLS_OF_A_HOOK * REQUESTER_HOOK_GAS : 0n
  const gas = count * CALLS_OF_A_HOOK * DEFAULT_CALL_GAS + boundedGasOfAwards + gasOfSponsored
  return gas + gas / KEPT_BY_CALLERS_DIVISOR
}

/** Returns the most gas for a call: `maxRelayGas`, or more when the deployment's hooks of its task may take more. */
export function gasWithHooks(maxRelayGas: bigint, hooks: DeploymentHooks): bigint {
  const gas = CALL_GAS + hooksGas(hooks)
  const bounded = gas < MOST_GAS_OF_A_TRANSACTION ? gas : MOST_GAS_OF_A_TRANSACTION
  return bounded > maxRelayGas ? bounded : maxRelayGas
}

/** Returns the gas of the largest transaction that the service may sign. */
export function mostGasOfACall(maxRelayGas: bigint): bigint {
  return gasWithHooks(maxRelayGas, { count: MOST_DEFAULT_HOOKS, awards: MOST_AWARDS, isSponsored: true })
}
