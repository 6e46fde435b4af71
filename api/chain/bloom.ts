import { type Hex, hexToBytes, keccak256 } from 'viem'

/** The number of bits in a bloom filter (yellow paper, 4.4.3). */
const BLOOM_BITS = 2048

/**
 * Returns true if a bloom filter is empty. The block or receipt of the filter then has no logs. Example:
 * `isEmptyBloom('0x00')` returns true.
 */
export function isEmptyBloom(bloom: Hex): boolean {
  return /^0x0*$/.test(bloom)
}

/** Returns true if the logs may contain this address or topic. False means that they do not contain it. */
export function isInBloom(bloom: Hex, value: Hex): boolean {
  const filter = hexToBytes(bloom)
  const hash = hexToBytes(keccak256(value))
  return [0, 2, 4].every((at) => {
    const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) % BLOOM_BITS
    const byte = filter[filter.length - 1 - Math.floor(bit / 8)] ?? 0
    return (byte & (1 << (bit % 8))) !== 0
  })
}
