import type { Fees } from '../../chain/chain.ts'

/** The margin of an estimate for transactions that come first. */
const GAS_MARGIN_PERCENT = 25n

/** Returns the gas limit for an estimate. Example: `gasLimitFor(100_000n)` returns `125000n`. */
export function gasLimitFor(estimate: bigint): bigint {
  return estimate + (estimate * GAS_MARGIN_PERCENT) / 100n
}

/** Returns true if higher fees could help. Without this check repeated replacements would raise them without bound. */
export function isUnderpriced(offered: Fees, current: Fees): boolean {
  return offered.maxFeePerGas < current.maxFeePerGas || offered.maxPriorityFeePerGas < current.maxPriorityFeePerGas
}

/** Returns the fees that a node requires for a replacement of the same nonce, or the current fees if higher. */
export function bumpedFees(replaced: Fees, current: Fees): Fees {
  return {
    maxFeePerGas: largest(raised(replaced.maxFeePerGas), current.maxFeePerGas),
    maxPriorityFeePerGas: largest(raised(replaced.maxPriorityFeePerGas), current.maxPriorityFeePerGas),
  }
}

/** Returns 12.5 % more, rounded up. */
function raised(fee: bigint): bigint {
  return fee + (fee + 7n) / 8n
}

function largest(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
