/** Number of basis points in a whole. */
export const BPS = 10_000n

/**
 * Returns a part of an amount in base units: floor(amount * bps / 10000). The contracts compute every fee, stake and
 * share in this way.
 * Example: `partOf(1_001n, 9250)` is 925n.
 */
export function partOf(amount: bigint, bps: number): bigint {
  return (amount * BigInt(bps)) / BPS
}

/**
 * Subtracts `taken` base units from `held`. Example: `takeFrom(1_000n, 400n)` is 600n.
 * @throws if `taken` is more than `held`, because the stored amount then contradicts the contract's logs
 */
export function takeFrom(held: bigint, taken: bigint): bigint {
  if (taken > held) throw new Error(`${taken} base units taken from ${held}`)
  return held - taken
}
