/**
 * Encodes bytes in base64. Encodes in chunks because a function call accepts a limited number of arguments. Example:
 * `[104, 105]` becomes `aGk=`.
 */
export function toBase64(bytes: Uint8Array): string {
  const step = 0x8000
  let binary = ''
  for (let at = 0; at < bytes.length; at += step) binary += String.fromCharCode(...bytes.subarray(at, at + step))
  return btoa(binary)
}

/**
 * Decodes base64. Example: `aGk=` becomes `[104, 105]`.
 * @throws DOMException when the text is not base64
 */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}
