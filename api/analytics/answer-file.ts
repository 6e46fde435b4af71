import { writeSync } from 'node:fs'
import { arrowStream } from '../tabular/arrow.ts'
import type { Column, TextRow } from '../tabular/column-types.ts'
import { csvHeader, csvRowWriter } from '../tabular/csv-rows.ts'
import { jsonRowWriter } from '../tabular/json-rows.ts'
import { parquetFile } from '../tabular/parquet.ts'
import { typedColumns } from '../tabular/typed-columns.ts'
import { QueryFailed } from './query-failure.ts'

/** The media types of answers. The first is the default. */
export const answerTypes = [
  'application/json',
  'application/x-ndjson',
  'text/csv',
  'application/vnd.apache.parquet',
  'application/vnd.apache.arrow.stream',
] as const
export type AnswerType = (typeof answerTypes)[number]

/** The bytes of one page in an answer's file. A JSON page contains only the rows, separated by commas. */
export interface Page {
  /** The offset of the page's first byte in the file. */
  start: number
  /** The offset after the page's last byte. */
  end: number
  /** The number of rows in the page. */
  rows: number
}

export interface AnswerLimits {
  /**
   * The limits of one page. `pageRows`: the number of rows. `pageBytes`: the bytes of the values from the database
   * server.
   */
  pageRows: number
  pageBytes: number
  /** The limits of the whole answer. `maxRows`: the number of rows. `maxBytes`: the bytes of the file. */
  maxRows: number
  maxBytes: number
}

/**
 * Creates a writer that writes an answer's file page by page. In every format except JSON, each page is stored as a
 * complete document. A JSON page is stored without the beginning and the end of a document. Both are added when the
 * page is sent.
 */
export function createAnswerFile(
  fd: number,
  { columns, type, limits }: { columns: readonly Column[]; type: AnswerType; limits: AnswerLimits },
) {
  const encode = encoders[type](columns)
  const pages: Page[] = []
  let writtenBytes = 0
  let rows = 0
  let page: TextRow[] = []
  let pageBytes = 0

  const endPage = () => {
    const bytes = encode(page)
    const start = writtenBytes
    if (start + bytes.length > limits.maxBytes) {
      throw tooLarge(`more than ${limits.maxBytes / 1024 / 1024} MB`)
    }
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, start + at)
    writtenBytes += bytes.length
    pages.push({ start, end: writtenBytes, rows: page.length })
    page = []
    pageBytes = 0
  }

  return {
    /**
     * Adds a row.
     * @throws QueryFailed `limit`
     */
    add: (row: TextRow): void => {
      rows += 1
      if (rows > limits.maxRows) throw tooLarge(`more than ${limits.maxRows} rows`)
      const bytes = row.reduce((sum, text) => sum + (text?.length ?? 0), 0)
      const isFull = page.length >= limits.pageRows || pageBytes + bytes > limits.pageBytes
      if (isFull && page.length > 0) endPage()
      page.push(row)
      pageBytes += bytes
    },
    /** Ends the last page and returns all pages. An answer that has no rows has one empty page. */
    end: (): Page[] => {
      if (page.length > 0 || pages.length === 0) endPage()
      return pages
    },
  }
}

const encoders: Record<AnswerType, (columns: readonly Column[]) => (rows: readonly TextRow[]) => Uint8Array> = {
  'application/json': (columns) => {
    const write = jsonRowWriter(columns)
    return (rows) => Buffer.from(rows.map(write).join(','))
  },
  'application/x-ndjson': (columns) => {
    const write = jsonRowWriter(columns)
    return (rows) => Buffer.from(rows.map((row) => `${write(row)}\n`).join(''))
  },
  'text/csv': (columns) => {
    const write = csvRowWriter(columns)
    return (rows) => Buffer.from(csvHeader(columns) + rows.map(write).join(''))
  },
  'application/vnd.apache.parquet': (columns) => (rows) => parquetFile(typedColumns(columns, rows)),
  'application/vnd.apache.arrow.stream': (columns) => (rows) => arrowStream(typedColumns(columns, rows)),
}

function tooLarge(what: string): QueryFailed {
  return new QueryFailed({
    kind: 'limit',
    message: `The answer has ${what}: add LIMIT, ask for fewer columns, or take the files of /api/exports.`,
  })
}
