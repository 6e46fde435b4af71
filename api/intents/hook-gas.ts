/**
 * Gas for hooks and registries, by the figures of contracts/src/libraries/HookLib.sol: the market calls each with a fixed
 * amount, and reverts (`NotEnoughGas`) where less is left, whether the callee takes it or not. What a call is measured to
 * use does not show it.
 */

/** Gas that must be left when the market calls one of its own hooks at the award of one worker. */
export const DEFAULT_HOOK_GAS = 700_000n
/** Gas that must be left when the market calls a hook of the requester's. */
export const REQUESTER_HOOK_GAS = 350_000n

/** The most gas for the claim of a vault that no curator has approved: its token may take all of it. */
export const UNAPPROVED_CLAIM_GAS = 350_000n

/**
 * What one call of a default hook may take, and in addition for each award that it is notified of; all of them
 * together.
 */
const DEFAULT_CALL_GAS = 500_000n
const GAS_OF_AN_AWARD = 100_000n
const GAS_OF_ALL_AWARDS = 7_500_000n
/** Calls of one hook in the longest transaction: an acceptance asks each, and then notifies each. */
const CALLS_OF_A_HOOK = 2n
const MOST_DEFAULT_HOOKS = 3
const MOST_AWARDS = 50
/** What the largest call takes without hooks: awards of fifty workers that USDC never saw before. */
const CALL_GAS = 3_000_000n
/** Of one transaction on Base (EIP-7825). */
const MOST_GAS_OF_A_TRANSACTION = 1n << 24n

/** Each level of calls keeps 1/64 of its gas (EIP-150); the market calls a hook four levels down. */
const KEPT_BY_CALLERS_DIVISOR = 15n

/** The hooks of the deployment that a call may run. */
export interface DeploymentHooks {
  /** The market's own. */
  count: number
  /** The most awards that the call may pay. */
  awards: number
  /** The hook of sponsored tasks, which the market calls as it calls a requester's. */
  isSponsored: boolean
}

/** Returns what must be there for all that these hooks may take in one transaction. */
export function hooksGas({ count: hookCount, awards, isSponsored }: DeploymentHooks): bigint {
  const count = BigInt(hookCount)
  const gasOfAwards = count * GAS_OF_AN_AWARD * BigInt(awards)
  const boundedGasOfAwards = gasOfAwards < GAS_OF_ALL_AWARDS ? gasOfAwards : GAS_OF_ALL_AWARDS
  const gasOfSponsored = isSponsored ? CALLS_OF_A_HOOK * REQUESTER_HOOK_GAS : 0n
  const gas = count * CALLS_OF_A_HOOK * DEFAULT_CALL_GAS + boundedGasOfAwards + gasOfSponsored
  return gas + gas / KEPT_BY_CALLERS_DIVISOR
}

/** The most gas for a call: `maxRelayGas`, or more where the deployment's hooks of its task may take more. */
export function gasWithHooks(maxRelayGas: bigint, hooks: DeploymentHooks): bigint {
  const gas = CALL_GAS + hooksGas(hooks)
  const bounded = gas < MOST_GAS_OF_A_TRANSACTION ? gas : MOST_GAS_OF_A_TRANSACTION
  return bounded > maxRelayGas ? bounded : maxRelayGas
}

/** Gas of the largest transaction that the service may sign. */
export function mostGasOfACall(maxRelayGas: bigint): bigint {
  return gasWithHooks(maxRelayGas, { count: MOST_DEFAULT_HOOKS, awards: MOST_AWARDS, isSponsored: true })
}
