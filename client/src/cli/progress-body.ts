const CHUNK_BYTES = 256 * 1024

/**
 * A body whose bytes are told as they are taken. Its length must be sent as a header: a store of files takes no request
 * without one.
 * @param onTaken gets how many bytes of the body are taken so far
 */
export function progressBody(bytes: Uint8Array, onTaken: (taken: number) => void): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream<Uint8Array>({
    pull: (controller) => {
      const chunk = bytes.slice(at, at + CHUNK_BYTES)
      at += chunk.length
      if (chunk.length > 0) controller.enqueue(chunk)
      onTaken(at)
      if (at >= bytes.length) controller.close()
    },
  })
}
