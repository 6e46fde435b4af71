import { z } from 'zod'
import { refuse } from '../request-error.ts'
import type { MarketColumn } from './tables.ts'

/** A value of a row in the form in which the database driver returns it. */
export type RowValue = string | number | boolean | null

const content = z.tuple([z.string()]).rest(z.union([z.string(), z.number(), z.boolean(), z.null()]))

/**
 * Encodes a cursor for a row. The cursor is a JSON list in base64url, with the names of the sort columns and the row's
 * values in these columns.
 */
export function writeCursor(row: Record<string, unknown>, columns: readonly MarketColumn[]): string {
  const values = columns.map(({ name }) => row[name])
  return Buffer.from(JSON.stringify([nameOf(columns), ...values])).toString('base64url')
}

/**
 * Decodes a cursor and returns the values of the sort columns. The row of the cursor may have been deleted meanwhile.
 * @throws RequestError if the text is no cursor for exactly these sort columns
 */
export function readCursor(cursor: string, columns: readonly MarketColumn[]): RowValue[] {
  const parsedCursor = content.safeParse(parseJson(cursor))
  const [order, ...values] = parsedCursor.data ?? []
  if (order !== nameOf(columns) || values.length !== columns.length || values.slice(1).includes(null)) {
    refuse(
      'BAD_USER_INPUT',
      'The arguments after and before take a pageInfo.endCursor or startCursor of the same orderBy.',
    )
  }
  return values
}

function nameOf(columns: readonly MarketColumn[]): string {
  return columns.map(({ name }) => name).join()
}

function parseJson(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return null
  }
}
