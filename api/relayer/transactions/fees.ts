import type { Fees } from '../../chain/chain.ts'

/** What an estimate may be short of when other transactions come first. */
const GAS_MARGIN_PERCENT = 25n

/** The gas limit for an estimate. */
export function gasLimitFor(estimate: bigint): bigint {
  return estimate + (estimate * GAS_MARGIN_PERCENT) / 100n
}

/** Whether higher fees could help. Without this check repeated replacements would raise them without bound. */
export function isUnderpriced(offered: Fees, current: Fees): boolean {
  return offered.maxFeePerGas < current.maxFeePerGas || offered.maxPriorityFeePerGas < current.maxPriorityFeePerGas
}

/**
 * What a node asks for before it takes one transaction for another of the same nonce, or the current fees if higher.
 */
export function bumpedFees(replaced: Fees, current: Fees): Fees {
  return {
    maxFeePerGas: largest(raised(replaced.maxFeePerGas), current.maxFeePerGas),
    maxPriorityFeePerGas: largest(raised(replaced.maxPriorityFeePerGas), current.maxPriorityFeePerGas),
  }
}

/** 12.5 % more, rounded up. */
function raised(fee: bigint): bigint {
  return fee + (fee + 7n) / 8n
}

function largest(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
