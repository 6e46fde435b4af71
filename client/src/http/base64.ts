/** Encodes bytes in base64, in chunks because a call takes a limited number of arguments. Example: `[104, 105]` is `aGk=`. */
export function toBase64(bytes: Uint8Array): string {
  const step = 0x8000
  let binary = ''
  for (let at = 0; at < bytes.length; at += step) binary += String.fromCharCode(...bytes.subarray(at, at + step))
  return btoa(binary)
}

/**
 * Decodes base64. Example: `aGk=` is `[104, 105]`.
 * @throws DOMException for another text
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
