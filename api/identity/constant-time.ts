import { createHash, timingSafeEqual } from 'node:crypto'

/** SHA-256 of a text. */
export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Whether two texts are the same; the time it takes tells nothing about where they differ. */
export function isSameText(left: string, right: string): boolean {
  return timingSafeEqual(sha256(left), sha256(right))
}
