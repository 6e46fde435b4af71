import { createHash } from 'node:crypto'

/** Whether a mutant belongs to a chunk: by a hash of its text, so that a seeded sample stays one as code around it changes. */
export function isInChunk(mutant: string, { chunk, chunks }: { chunk: number; chunks: number }): boolean {
  return createHash('sha256').update(mutant).digest().readUInt32BE() % chunks === chunk
}
