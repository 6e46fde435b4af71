import type { TextRow } from '../../api/tabular/column-types.ts'
import type { ExportSession } from './export-session.ts'

/** The number of rows in the first `FETCH` from the database cursor. */
const FIRST_ROWS = 500
/** The maximum number of rows in one `FETCH` from the database cursor. */
const MAX_ROWS = 10_000
/** The number of characters that the rows of one `FETCH` should have together. */
const FETCH_LENGTH = 4 * 1024 * 1024

/**
 * Reads the rows of a query in fetches of about 4 MB. The longest row so far determines the number of rows of the next
 * fetch.
 * @param signal stops the reading between two fetches
 */
export async function* readRows(
  { run }: Pick<ExportSession, 'run'>,
  query: string,
  signal: AbortSignal,
): AsyncGenerator<TextRow[]> {
  await run(`DECLARE exported NO SCROLL CURSOR FOR ${query}`)
  let count = FIRST_ROWS
  let longestLength = 1
  for (;;) {
    signal.throwIfAborted()
    const { rows } = await run(`FETCH ${count} FROM exported`)
    if (rows.length > 0) yield rows
    if (rows.length < count) break
    for (const row of rows) longestLength = Math.max(longestLength, lengthOf(row))
    count = Math.max(1, Math.min(MAX_ROWS, Math.floor(FETCH_LENGTH / longestLength)))
  }
  await run('CLOSE exported')
}

/** Returns the total number of characters in a row's values. */
export function lengthOf(row: TextRow): number {
  return row.reduce((sum, text) => sum + (text?.length ?? 0), 0)
}
