import { type Hex, hexToBytes } from 'viem'

/** Crockford's base32: no I, L, O or U, so that a code is not misheard when it is read aloud. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const shortestLength = 8
const prefixes = { task: 'TSK-', submission: 'SUB-' } as const

/** The kind of row that a code names. */
export type ReferenceKind = keyof typeof prefixes

/**
 * Lists the possible codes of an id, in the order in which they are tried: 8 characters, then one more at a time, up to the whole
 * id. Two different ids differ in the last, so that one of them is always free. Interface document, "Tasks".
 * Example: the task `0x9f9f..` has `TSK-KYFSZ7WZ`, then `TSK-KYFSZ7WZK`.
 */
export function listReferenceCodes(kind: ReferenceKind, id: Hex): string[] {
  const characters = toBase32(hexToBytes(id))
  const count = characters.length - shortestLength + 1
  return Array.from({ length: count }, (_, extra) => prefixes[kind] + characters.slice(0, shortestLength + extra))
}

/** Groups the bits by five from the left; zeros fill the last group. */
function toBase32(bytes: Uint8Array): string {
  let characters = ''
  let pending = 0
  let pendingBits = 0
  for (const byte of bytes) {
    pending = (pending << 8) | byte
    pendingBits += 8
    while (pendingBits >= 5) {
      pendingBits -= 5
      characters += alphabet.charAt((pending >>> pendingBits) & 31)
    }
    pending &= (1 << pendingBits) - 1
  }
  return pendingBits === 0 ? characters : characters + alphabet.charAt((pending << (5 - pendingBits)) & 31)
}
