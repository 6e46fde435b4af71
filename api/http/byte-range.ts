import type { ByteRange } from '../artifacts/storage/object-store.ts'

/**
 * The one range of bytes a `Range` header asks for, cut to the object. Null, which means the whole object, for no
 * header, several ranges, and what lies outside: RFC 9110 lets a server ignore the header.
 */
export function parseRange(header: string | undefined, sizeBytes: number): ByteRange | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return null
  // Without a first byte, the number is a count from the end.
  const start = first === '' ? Math.max(0, sizeBytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1)
  return start <= end ? { start, end } : null
}
