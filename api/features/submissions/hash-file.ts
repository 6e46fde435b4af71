import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { createKeccak } from 'hash-wasm'
import type { Hex } from 'viem'

/** Bytes hashed in one go: about ten milliseconds, after which others get their turn. */
const SLICE_BYTES = 1 << 20

/** Both hashes of a file, without keeping the process from its other requests. */
export async function hashFile(bytes: Uint8Array): Promise<{ sha256Hash: string; keccak256Hash: Hex }> {
  const sha256 = createHash('sha256')
  const keccak256 = await createKeccak(256)
  for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
    const slice = bytes.subarray(start, start + SLICE_BYTES)
    sha256.update(slice)
    keccak256.update(slice)
    if (start + SLICE_BYTES < bytes.length) await setImmediate()
  }
  return { sha256Hash: sha256.digest('hex'), keccak256Hash: `0x${keccak256.digest('hex')}` }
}
