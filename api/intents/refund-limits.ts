/**
 * The most gas of a refund transaction: about 114k of its own and 2.1k for each relayer that the forwarder ever had, or
 * about 140k for an announcement; and 300k for a contract wallet's check of its signature (ERC-1271). An operator may
 * allow another limit for one refund.
 */
export const REFUND_GAS = 480_000n

/** The refund transactions that may be mined without effect before an operator decides. */
export const REFUND_ATTEMPTS = 5

/** The pause after the first of them, seconds; each later one is four times as long. */
const FIRST_PAUSE_SECONDS = 15
const PAUSE_FACTOR = 4

const BASE_UNITS_PER_USDC = 1_000_000n

/**
 * Returns the backoff of a refund after a reverted transaction: 15 s, then 1, 4 and 16 minutes. Example:
 * `pauseBeforeNextRefund(4)` returns `15`.
 */
export function pauseBeforeNextRefund(attemptsLeft: number): number {
  const reverted = Math.max(REFUND_ATTEMPTS - attemptsLeft, 1)
  return FIRST_PAUSE_SECONDS * PAUSE_FACTOR ** (reverted - 1)
}

/** Returns true if a payment is worth more than the gas of its refund. Wei and USDC base units. */
export function isWorthItsGas(
  { gas, maxFeePerGas }: { gas: bigint; maxFeePerGas: bigint },
  { value, weiPerUsdc }: { value: bigint; weiPerUsdc: bigint },
): boolean {
  return gas * maxFeePerGas * BASE_UNITS_PER_USDC < value * weiPerUsdc
}
