/** Basis points of the whole. */
export const BPS = 10_000n

/**
 * A part of an amount, as the contracts compute every fee, stake and share: floor(amount * bps / 10000), base units. Example: 9250
 * of 1,001 is 925.
 */
export function partOf(amount: bigint, bps: number): bigint {
  return (amount * BigInt(bps)) / BPS
}

/**
 * What is left of `held` base units after `taken`.
 * @throws when more is taken than is held: the market's books and its logs disagree
 */
export function takeFrom(held: bigint, taken: bigint): bigint {
  if (taken > held) throw new Error(`${taken} base units taken from ${held}`)
  return held - taken
}
