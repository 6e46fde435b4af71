import type { Fees } from '../../chain/chain.ts'

/** The percentage that is added to a gas estimate. Other transactions may be mined first and change the state. */
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

/** Returns a fee increased by 12.5 %, the least increase for a replacement, rounded up. */
function raised(fee: bigint): bigint {
  return fee + (fee + 7n) / 8n
}

function largest(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
