import { type Hex, hexToBytes } from 'viem'

/** Crockford's base32 alphabet. It omits I, L, O and U, because people confuse them with other characters. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const shortestLength = 8
const prefixes = { task: 'TSK-', submission: 'SUB-' } as const

/** The kind of object to which a reference code belongs. */
export type ReferenceKind = keyof typeof prefixes

/**
 * Lists the possible reference codes of an id, the shortest first (interface specification, "Tasks"). The first code
 * has 8 characters of the id. Each further code has one character more. The last code contains the whole id.
 * Example: the task `0x9f9f..` has `TSK-KYFSZ7WZ`, then `TSK-KYFSZ7WZK`.
 */
export function listReferenceCodes(kind: ReferenceKind, id: Hex): string[] {
  const characters = toBase32(hexToBytes(id))
  const count = characters.length - shortestLength + 1
  return Array.from(
    { length: count },
    (_, extraLength) => prefixes[kind] + characters.slice(0, shortestLength + extraLength),
  )
}

/**
 * Encodes bytes in base32: each group of five bits, from the left, becomes a character. The last group is filled with
 * zero bits.
 */
function toBase32(bytes: Uint8Array): string {
  let characters = ''
  let bitBuffer = 0
  let pendingBits = 0
  for (const byte of bytes) {
    bitBuffer = (bitBuffer << 8) | byte
    pendingBits += 8
    while (pendingBits >= 5) {
      pendingBits -= 5
      characters += alphabet.charAt((bitBuffer >>> pendingBits) & 31)
    }
    bitBuffer &= (1 << pendingBits) - 1
  }
  return pendingBits === 0 ? characters : characters + alphabet.charAt((bitBuffer << (5 - pendingBits)) & 31)
}
