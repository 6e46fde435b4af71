import { SizeMismatchError } from './object-store.ts'

/**
 * Passes `sizeBytes` bytes through. The last chunk is held back until nothing comes after it, so a reader that takes
 * the bytes has less than `sizeBytes` of them, and knows it, when they are not as announced.
 * @throws SizeMismatchError when they are more or fewer
 */
export async function* exactBytes(bytes: AsyncIterable<Uint8Array>, sizeBytes: number): AsyncGenerator<Uint8Array> {
  let held: Uint8Array | null = null
  let seen = 0
  for await (const chunk of bytes) {
    if (chunk.length === 0) continue
    seen += chunk.length
    if (seen > sizeBytes) throw new SizeMismatchError(sizeBytes, 'more')
    if (held !== null) yield held
    held = chunk
  }
  if (seen !== sizeBytes) throw new SizeMismatchError(sizeBytes, 'fewer')
  if (held !== null) yield held
}
