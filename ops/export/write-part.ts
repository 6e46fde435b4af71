import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs'
import type { TextRow } from '../../api/tabular/column-types.ts'
import type { RowEncoder } from './encode-rows.ts'
import { lengthOf } from './read-rows.ts'

/** The size and the hash of a written file. */
export interface WrittenPart {
  rows: number
  bytes: number
  sha256: string
}

export interface PartWriter {
  add(row: TextRow): void
  /** Returns the number of bytes written so far, without the rows that still wait in memory. */
  bytes(): number
  /** Writes the rows that still wait in memory, and closes the file. */
  end(): WrittenPart
  /** Closes a file that will not be published. */
  discard(): void
}

/** The maximum number of rows that are encoded together. In Parquet they form a row group. */
const MAX_ROWS = 50_000
/** The maximum number of characters in the rows that are encoded together. */
const MAX_LENGTH = 8 * 1024 * 1024

/**
 * Creates a writer for a new file. The writer encodes rows in groups. Memory holds only one group at a time, whatever
 * the size of the file.
 */
export function createPartWriter(file: string, encoder: RowEncoder): PartWriter {
  const fd = openSync(file, 'wx')
  const hash = createHash('sha256')
  let piece: TextRow[] = []
  let length = 0
  let rows = 0
  let bytes = 0
  const write = (chunk: Uint8Array) => {
    for (let at = 0; at < chunk.length; ) at += writeSync(fd, chunk, at)
    hash.update(chunk)
    bytes += chunk.length
  }
  const endPiece = () => {
    if (piece.length > 0) write(encoder.add(piece))
    piece = []
    length = 0
  }
  return {
    add: (row) => {
      piece.push(row)
      rows += 1
      length += lengthOf(row)
      if (piece.length >= MAX_ROWS || length >= MAX_LENGTH) endPiece()
    },
    bytes: () => bytes,
    end: () => {
      endPiece()
      write(encoder.end())
      fsyncSync(fd)
      closeSync(fd)
      return { rows, bytes, sha256: hash.digest('hex') }
    },
    discard: () => closeSync(fd),
  }
}
