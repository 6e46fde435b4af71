import { createHash } from 'node:crypto'

/**
 * Returns true if a mutant belongs to a chunk. A hash of the mutant's text decides. The sample therefore stays the same
 * while other code changes.
 */
export function isInChunk(mutant: string, { chunk, chunks }: { chunk: number; chunks: number }): boolean {
  return createHash('sha256').update(mutant).digest().readUInt32BE() % chunks === chunk
}
