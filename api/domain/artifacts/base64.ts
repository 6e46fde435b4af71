/**
 * The bytes of a base64 text (RFC 4648, section 4: padded, no line breaks, no data URL); null when it is anything
 * else. Only the one text that encodes the bytes is taken, so equal requests have equal bytes and the other way round.
 */
export function decodeBase64(text: string): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64')
  // The decoder skips what it does not know: what does not come back was not base64.
  return bytes.toString('base64') === text ? bytes : null
}
