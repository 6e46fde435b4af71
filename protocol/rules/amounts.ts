/** Basis points of a whole. */
export const BPS = 10_000n

/**
 * Returns a part of an amount, as the contracts compute every fee, stake and share: floor(amount * bps / 10000), base units.
 * Example: `partOf(1_001n, 9250)` is 925n.
 */
export function partOf(amount: bigint, bps: number): bigint {
  return (amount * BigInt(bps)) / BPS
}

/**
 * Subtracts `taken` base units from `held`. Example: `takeFrom(1_000n, 400n)` is 600n.
 * @throws when `taken` is more than `held`: the market's books and its logs disagree
 */
export function takeFrom(held: bigint, taken: bigint): bigint {
  if (taken > held) throw new Error(`${taken} base units taken from ${held}`)
  return held - taken
}
