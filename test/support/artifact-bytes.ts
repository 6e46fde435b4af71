import type { Deps } from '../../api/deps.ts'

/** Puts an artifact's bytes where a submission would have put them. */
export async function storeArtifactBytes({ storage }: Pick<Deps, 'storage'>, id: string, bytes: Buffer): Promise<void> {
  await storage.put({ area: 'artifacts', id }, oneChunk(bytes), bytes.length)
}

/** What is stored of an artifact; null: nothing. */
export async function readArtifactBytes({ storage }: Pick<Deps, 'storage'>, id: string): Promise<Buffer | null> {
  const stream = await storage.open({ area: 'artifacts', id })
  return stream && Buffer.from(await new Response(stream).arrayBuffer())
}

/** A stream of one chunk. */
export async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
