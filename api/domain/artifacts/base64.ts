/**
 * Returns the bytes of a base64 text (RFC 4648, section 4: padded, no line breaks, no data URL). Returns null for any
 * other text. Each sequence of bytes has exactly one accepted text. Example: `decodeBase64('aGk=')` returns the bytes
 * of `hi`; `decodeBase64('aGk')` returns null.
 */
export function decodeBase64(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64')
  // Node's decoder skips invalid characters, so the comparison with the encoded bytes finds them.
  return bytes.toString('base64') === text ? bytes : null
}
