/**
 * Joins texts and bytes into a buffer that shares its memory with no other buffer. Use the function for values that are
 * kept for long. Example: `joinBytes(['{"a":', bytes, '}'])`.
 *
 * An ordinary short `Buffer` is a slice of a larger block. If the slice is kept, the whole block stays in memory.
 */
export function joinBytes(parts: readonly (string | Buffer)[]): Buffer<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0)
  const bytes = Buffer.allocUnsafeSlow(length)
  let end = 0
  for (const part of parts) end += typeof part === 'string' ? bytes.write(part, end) : part.copy(bytes, end)
  return bytes
}
