/**
 * Joins texts and bytes in new memory, for values that are kept for long. Example: `joinBytes(['{"a":', bytes, '}'])`.
 *
 * A short `Buffer` is a slice of a shared memory block of 64 KB. The block stays in memory as long as any slice is
 * used.
 */
export function joinBytes(parts: readonly (string | Buffer)[]): Buffer<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0)
  const bytes = Buffer.allocUnsafeSlow(length)
  let end = 0
  for (const part of parts) end += typeof part === 'string' ? bytes.write(part, end) : part.copy(bytes, end)
  return bytes
}
