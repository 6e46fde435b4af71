/**
 * Joins texts and bytes in memory of their own, for long-lived values. A short `Buffer` is a slice of a shared 64 KB
 * block, which stays in memory as long as any slice. Example: `joinBytes(['{"a":', bytes, '}'])`.
 */
export function joinBytes(parts: readonly (string | Buffer)[]): Buffer<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0)
  const bytes = Buffer.allocUnsafeSlow(length)
  let end = 0
  for (const part of parts) end += typeof part === 'string' ? bytes.write(part, end) : part.copy(bytes, end)
  return bytes
}
