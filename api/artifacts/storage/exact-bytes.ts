import { SizeMismatchError } from './object-store.ts'

/**
 * Passes exactly `sizeBytes` bytes through. The last chunk waits until the source ends, so a reader receives less than
 * `sizeBytes` bytes whenever the size is wrong.
 * @throws SizeMismatchError when the source has more or fewer bytes
 */
export async function* exactBytes(bytes: AsyncIterable<Uint8Array>, sizeBytes: number): AsyncGenerator<Uint8Array> {
  let lastChunk: Uint8Array | null = null
  let byteCount = 0
  for await (const chunk of bytes) {
    if (chunk.length === 0) continue
    byteCount += chunk.length
    if (byteCount > sizeBytes) throw new SizeMismatchError(sizeBytes, 'more')
    if (lastChunk !== null) yield lastChunk
    lastChunk = chunk
  }
  if (byteCount !== sizeBytes) throw new SizeMismatchError(sizeBytes, 'fewer')
  if (lastChunk !== null) yield lastChunk
}
