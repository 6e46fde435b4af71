import { SizeMismatchError } from './object-store.ts'

/**
 * Yields the chunks of `bytes`. The last chunk is yielded only if the source has ended and had exactly `sizeBytes`
 * bytes in total. Otherwise, the consumer receives fewer than `sizeBytes` bytes.
 * @throws SizeMismatchError if the source has more or fewer bytes
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
