/**
 * The gas limit of a refund transaction. An operator may set a different limit for one refund.
 *
 * Measured gas: a refund uses about 114,000, and 2,100 more for each relayer that the forwarder ever had. An
 * announcement uses about 140,000. A contract wallet's signature check (ERC-1271) may add 300,000.
 */
export const REFUND_GAS = 480_000n

/** The largest number of refund transactions of one intent that may fail before an operator decides. */
export const REFUND_ATTEMPTS = 5

/**
 * The pause after the first refund transaction that had no effect, in seconds. Each later pause is `PAUSE_FACTOR` times
 * as long as the pause before.
 */
const FIRST_PAUSE_SECONDS = 15
const PAUSE_FACTOR = 4

const BASE_UNITS_PER_USDC = 1_000_000n

/**
 * Returns the pause, in seconds, before the next refund transaction after a reverted one: 15 seconds, then 1, 4 and 16
 * minutes. Example: `pauseBeforeNextRefund(4)` returns `15`.
 */
export function pauseBeforeNextRefund(attemptsLeft: number): number {
  const revertCount = Math.max(REFUND_ATTEMPTS - attemptsLeft, 1)
  return FIRST_PAUSE_SECONDS * PAUSE_FACTOR ** (revertCount - 1)
}

/**
 * Returns true if a payment is worth more than the gas of its refund. Units: `maxFeePerGas` in wei, `value` in base
 * units of USDC, `weiPerUsdc` in wei for one whole USDC.
 */
export function isWorthItsGas(
  { gas, maxFeePerGas }: { gas: bigint; maxFeePerGas: bigint },
  { value, weiPerUsdc }: { value: bigint; weiPerUsdc: bigint },
): boolean {
  return gas * maxFeePerGas * BASE_UNITS_PER_USDC < value * weiPerUsdc
}
