/**
 * The most gas a transaction of a refund may take: about 114k of its own and 2.1k for each relayer that the forwarder ever had,
 * an announcement about 140k; and 300k for a contract wallet's check of its signature (ERC-1271). An operator may allow
 * another limit for one refund.
 */
export const REFUND_GAS = 480_000n

/** Transactions of a refund that may be mined without giving the money back, before it is left to an operator. */
export const REFUND_ATTEMPTS = 5

/** Pause after the first of them, seconds; each later one is four times as long. */
const FIRST_PAUSE_SECONDS = 15
const PAUSE_FACTOR = 4

const BASE_UNITS_PER_USDC = 1_000_000n

/** Backoff of a refund after a reverted transaction: 15 s, then 1, 4 and 16 minutes. */
export function pauseBeforeNextRefund(attemptsLeft: number): number {
  const reverted = Math.max(REFUND_ATTEMPTS - attemptsLeft, 1)
  return FIRST_PAUSE_SECONDS * PAUSE_FACTOR ** (reverted - 1)
}

/** Whether a payment is worth more than the gas of giving it back. Wei and USDC base units. */
export function isWorthItsGas(
  { gas, maxFeePerGas }: { gas: bigint; maxFeePerGas: bigint },
  { value, weiPerUsdc }: { value: bigint; weiPerUsdc: bigint },
): boolean {
  return gas * maxFeePerGas * BASE_UNITS_PER_USDC < value * weiPerUsdc
}
