import type { ByteRange } from '../artifacts/storage/object-store.ts'

/**
 * Parses a `Range` header with one range, and limits the range to the object's size. Returns null if the whole object
 * must be sent: there is no header, the header has several ranges, or the range is outside the object. RFC 9110 allows
 * a server to ignore the header. Example: `parseRange('bytes=0-3', 10)` returns `{ start: 0, end: 3 }`.
 */
export function parseRange(header: string | undefined, sizeBytes: number): ByteRange | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  // Without a first byte, the number counts from the end.
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  return start <= end ? { start, end } : null
}
