import { sha256 } from '@noble/hashes/sha2'
import { keccak_256 } from '@noble/hashes/sha3'

/**
 * The global object of a web worker that hashes one file piece by piece. Messages: `{ done, total }` in bytes after
 * each piece, `{ sha256, keccak256 }` at the end, `{ failed }` after an error.
 */
const port = globalThis as unknown as {
  postMessage(message: HashMessage): void
  onmessage: ((event: MessageEvent<Blob>) => void) | null
}

export type HashMessage =
  | { done: number; total: number }
  | { sha256: string; keccak256: `0x${string}` }
  | { failed: string }

port.onmessage = async ({ data }) => {
  try {
    port.postMessage(await hash(data))
  } catch (error) {
    port.postMessage({ failed: String(error) })
  }
}

async function hash(file: Blob): Promise<HashMessage> {
  const [first, second] = [sha256.create(), keccak_256.create()]
  const reader = file.stream().getReader()
  let doneBytes = 0
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    first.update(part.value)
    second.update(part.value)
    doneBytes += part.value.length
    port.postMessage({ done: doneBytes, total: file.size })
  }
  return { sha256: toHex(first.digest()), keccak256: `0x${toHex(second.digest())}` }
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
