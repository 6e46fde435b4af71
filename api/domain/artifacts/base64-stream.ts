/** A decoder of base64 text that arrives in pieces. It accepts the same texts as `decodeBase64`. */
export interface Base64Stream {
  /**
   * Decodes the next piece of text. Returns the bytes of all groups of four characters that the piece completes.
   * Returns null if the text is not base64. The next call overwrites the returned bytes.
   */
  push: (piece: Uint8Array) => Uint8Array | null
  /** Returns true if all pieces that `push` has received together form a complete base64 text. */
  isWhole: () => boolean
}

const GROUP = 4
const BYTES_OF_GROUP = 3
const PADDING = 0x3d
/**
 * The two characters of the base64url alphabet that base64 does not have. Node's decoder accepts both characters, so
 * the stream itself must refuse them.
 */
const [MINUS, UNDERSCORE] = [0x2d, 0x5f]
const BEGINNING = /^[A-Za-z0-9+/]+=*$/
const emptyBytes = new Uint8Array()

/**
 * Creates a decoder that accepts only padded base64 without line breaks. Each sequence of bytes has exactly one
 * accepted text. See the specification, "Submissions".
 */
export function createBase64Stream(): Base64Stream {
  /** The checked characters at the end of the received text that do not yet form a group of four. */
  let pendingGroup = Buffer.alloc(0)
  let isPadded = false
  let decodedBytes = Buffer.allocUnsafe(0)

  /**
   * Decodes complete groups of four characters. Only the last group may be padded. Returns null if the characters are
   * not base64.
   */
  const decode = (groups: Buffer): Uint8Array | null => {
    const maxLength = (groups.length / GROUP) * BYTES_OF_GROUP
    if (decodedBytes.length < maxLength) decodedBytes = Buffer.allocUnsafe(maxLength)
    const lastStart = groups.length - GROUP
    // Node's decoder skips invalid characters and then returns fewer bytes.
    const length = decodedBytes.write(groups.toString('latin1', 0, lastStart), 'base64')
    if (length !== maxLength - BYTES_OF_GROUP || holdsOther(groups.subarray(0, lastStart))) return null
    const text = groups.toString('latin1', lastStart)
    const end = Buffer.from(text, 'base64')
    // Encoding the last group again shows wrong padding and unused bits.
    if (end.toString('base64') !== text) return null
    decodedBytes.set(end, length)
    isPadded = text.endsWith('=')
    return decodedBytes.subarray(0, length + end.length)
  }
  return {
    push: (piece) => {
      if (piece.length === 0) return emptyBytes
      if (isPadded) return null
      const text = pendingGroup.length === 0 ? toBuffer(piece) : Buffer.concat([pendingGroup, piece])
      const wholeLength = text.length - (text.length % GROUP)
      pendingGroup = Buffer.from(text.subarray(wholeLength))
      if (pendingGroup.length > 0 && !BEGINNING.test(pendingGroup.toString('latin1'))) return null
      if (wholeLength === 0) return emptyBytes
      const bytes = decode(text.subarray(0, wholeLength))
      return isPadded && pendingGroup.length > 0 ? null : bytes
    },
    isWhole: () => pendingGroup.length === 0,
  }
}

function holdsOther(groups: Buffer): boolean {
  return groups.includes(PADDING) || groups.includes(MINUS) || groups.includes(UNDERSCORE)
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
