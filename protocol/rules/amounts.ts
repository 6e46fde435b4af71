/**
 * What is left of `held` base units after `taken`.
 * @throws when more is taken than is held: the market's books and its logs disagree
 */
export function takeFrom(held: bigint, taken: bigint): bigint {
  if (taken > held) throw new Error(`${taken} base units taken from ${held}`)
  return held - taken
}
