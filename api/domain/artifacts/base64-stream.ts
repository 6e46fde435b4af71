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
const ALPHABET = /^[A-Za-z0-9+/]+=*$/
const nothing = new Uint8Array()

/** Spec, "Submissions": padded, no line breaks, and only the one text that encodes the bytes. */
export function createBase64Stream(): Base64Stream {
  /** The beginning of a group, its characters already looked at. */
  let begun = ''
  let isPadded = false
  let decoded = Buffer.allocUnsafe(0)
  return {
    push: (piece) => {
      if (piece.length === 0) return nothing
      if (isPadded) return null
      const text = begun + Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString('latin1')
      const whole = text.length - (text.length % GROUP)
      begun = text.slice(whole)
      if (begun !== '' && !ALPHABET.test(begun)) return null
      if (whole === 0) return nothing
      const groups = whole === text.length ? text : text.slice(0, whole)
      const most = (whole / GROUP) * BYTES_OF_GROUP
      if (decoded.length < most) decoded = Buffer.allocUnsafe(most)
      const length = decoded.write(groups, 'base64')
      // The decoder skips what it does not know: what does not come back was not base64.
      if (decoded.toString('base64', 0, length) !== groups) return null
      isPadded = groups.charCodeAt(whole - 1) === PADDING
      return isPadded && begun !== '' ? null : decoded.subarray(0, length)
    },
    isWhole: () => begun === '',
  }
}
