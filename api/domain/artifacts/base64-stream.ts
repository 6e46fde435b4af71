/** Decodes a base64 text that comes in pieces, as strictly as `decodeBase64` decodes a whole one. */
export interface Base64Stream {
  /**
   * The bytes of the next piece, as far as whole groups of four have come, in memory that the next piece uses again;
   * null: the text is not base64.
   */
  push: (piece: Uint8Array) => Uint8Array | null
  /** Whether the text may end here. */
  isWhole: () => boolean
}

const GROUP = 4
const BYTES_OF_GROUP = 3
const PADDING = 0x3d
/** Of the URL alphabet, which the decoder knows as well. */
const [MINUS, UNDERSCORE] = [0x2d, 0x5f]
const BEGINNING = /^[A-Za-z0-9+/]+=*$/
const nothing = new Uint8Array()

/** Spec, "Submissions": padded, no line breaks, and only the one text that encodes the bytes. */
export function createBase64Stream(): Base64Stream {
  /** The beginning of a group, its characters already looked at. */
  let begun = Buffer.alloc(0)
  let isPadded = false
  let decoded = Buffer.allocUnsafe(0)

  /** Whole groups, of which the last may be padded; null: no base64. */
  const decode = (groups: Buffer): Uint8Array | null => {
    const most = (groups.length / GROUP) * BYTES_OF_GROUP
    if (decoded.length < most) decoded = Buffer.allocUnsafe(most)
    const last = groups.length - GROUP
    // The decoder skips what it does not know, and then has fewer bytes.
    const length = decoded.write(groups.toString('latin1', 0, last), 'base64')
    if (length !== most - BYTES_OF_GROUP || holdsOther(groups.subarray(0, last))) return null
    const text = groups.toString('latin1', last)
    const end = Buffer.from(text, 'base64')
    // Of one group all is known when it comes back: its padding, and the bits that nothing stands for.
    if (end.toString('base64') !== text) return null
    decoded.set(end, length)
    isPadded = text.endsWith('=')
    return decoded.subarray(0, length + end.length)
  }
  return {
    push: (piece) => {
      if (piece.length === 0) return nothing
      if (isPadded) return null
      const text = begun.length === 0 ? toBuffer(piece) : Buffer.concat([begun, piece])
      const whole = text.length - (text.length % GROUP)
      begun = Buffer.from(text.subarray(whole))
      if (begun.length > 0 && !BEGINNING.test(begun.toString('latin1'))) return null
      if (whole === 0) return nothing
      const bytes = decode(text.subarray(0, whole))
      return isPadded && begun.length > 0 ? null : bytes
    },
    isWhole: () => begun.length === 0,
  }
}

function holdsOther(groups: Buffer): boolean {
  return groups.includes(PADDING) || groups.includes(MINUS) || groups.includes(UNDERSCORE)
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
