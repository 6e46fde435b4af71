import type { ByteRange } from '../artifacts/storage/object-store.ts'

/**
 * Parses a `Range` header with one range, and limits the range to the size of the object. Returns null if the whole
 * object must be sent: for a missing header, several ranges, or a range outside the object. Example:
 * `parseRange('bytes=0-3', 10)` returns `{ start: 0, end: 3 }`.
 */
export function parseRange(header: string | undefined, sizeBytes: number): ByteRange | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  // Without a first byte, the number counts from the end.
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  return start <= end ? { start, end } : null
}
