/** Number of basis points in a whole. */
export const BPS = 10_000n

/**
 * Returns a part of an amount in base units: floor(amount * bps / 10000). Fees, stakes and shares in the contracts have
 * the same rounding.
 * Example: `partOf(1_001n, 9250)` is 925n.
 */
export function partOf(amount: bigint, bps: number): bigint {
  return (amount * BigInt(bps)) / BPS
}

/**
 * Subtracts `takenAmount` base units from `heldAmount`. Example: `takeFrom(1_000n, 400n)` is 600n.
 * @throws if `takenAmount` is more than `heldAmount`. A contract cannot pay more than the contract holds, so the stored
 * `heldAmount` must be wrong.
 */
export function takeFrom(heldAmount: bigint, takenAmount: bigint): bigint {
  if (takenAmount > heldAmount) throw new Error(`${takenAmount} base units taken from ${heldAmount}`)
  return heldAmount - takenAmount
}
