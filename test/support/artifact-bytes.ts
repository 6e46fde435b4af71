import type { Deps } from '../../api/deps.ts'

/** Stores an artifact's bytes as a submission does. */
export async function storeArtifactBytes({ storage }: Pick<Deps, 'storage'>, id: string, bytes: Buffer): Promise<void> {
  await storage.put({ area: 'artifacts', id }, oneChunk(bytes), bytes.length)
}

/** The stored bytes of an artifact; null: none. */
export async function readArtifactBytes({ storage }: Pick<Deps, 'storage'>, id: string): Promise<Buffer | null> {
  const stream = await storage.open({ area: 'artifacts', id })
  return stream && Buffer.from(await new Response(stream).arrayBuffer())
}

/** A stream of one chunk. */
export async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
