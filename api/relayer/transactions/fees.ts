import type { Fees } from '../../chain/chain.ts'

/**
 * The percentage that is added to a gas estimate. Reason: transactions that are mined between the estimate and the call
 * can change the state, and the call may then use more gas.
 */
const GAS_MARGIN_PERCENT = 25n

/** Returns the gas limit for a gas estimate. Example: `gasLimitFor(100_000n)` returns `125000n`. */
export function gasLimitFor(estimate: bigint): bigint {
  return estimate + (estimate * GAS_MARGIN_PERCENT) / 100n
}

/**
 * Returns true if at least one of the two fees of a signed transaction is lower than the network's current fee. If both
 * fees are high enough, a replacement that makes the same call with higher fees would not help.
 */
export function isUnderpriced(fees: Fees, current: Fees): boolean {
  return fees.maxFeePerGas < current.maxFeePerGas || fees.maxPriorityFeePerGas < current.maxPriorityFeePerGas
}

/**
 * Returns the fees for a replacement with the same nonce: the smallest increase that nodes accept, or the current fees
 * if they are higher.
 */
export function bumpedFees(replacedFees: Fees, current: Fees): Fees {
  return {
    maxFeePerGas: largest(raised(replacedFees.maxFeePerGas), current.maxFeePerGas),
    maxPriorityFeePerGas: largest(raised(replacedFees.maxPriorityFeePerGas), current.maxPriorityFeePerGas),
  }
}

/** Returns a fee plus 12.5 %, rounded up. A node may refuse a replacement whose fees rise by less. */
function raised(fee: bigint): bigint {
  return fee + (fee + 7n) / 8n
}

function largest(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
