import type { Hex } from 'viem'

/** The compressed form of an uncompressed key: 66 hex digits. */
export function toCompressedKey(uncompressed: Hex): string {
  const isOdd = BigInt(uncompressed) % 2n === 1n
  return `${isOdd ? '03' : '02'}${uncompressed.slice(4, 68)}`
}
