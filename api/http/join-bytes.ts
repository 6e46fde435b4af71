/**
 * Joins texts and bytes in newly allocated memory, for values that are kept for long. A short `Buffer` would be a slice
 * of a shared 64 KB block, which remains in memory until its last slice is freed. Example: `joinBytes(['{"a":', bytes,
 * '}'])`.
 */
export function joinBytes(parts: readonly (string | Buffer)[]): Buffer<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0)
  const bytes = Buffer.allocUnsafeSlow(length)
  let end = 0
  for (const part of parts) end += typeof part === 'string' ? bytes.write(part, end) : part.copy(bytes, end)
  return bytes
}
