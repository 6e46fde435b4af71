import { createHash, timingSafeEqual } from 'node:crypto'

/** Returns the SHA-256 of a text. */
export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Returns true if two texts are equal. The comparison takes constant time, so the duration discloses nothing. */
export function isSameText(left: string, right: string): boolean {
  return timingSafeEqual(sha256(left), sha256(right))
}
