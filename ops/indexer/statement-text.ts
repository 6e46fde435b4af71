/**
 * Returns the SQL text of `statement`, the first argument of a PostgreSQL client's `query`. Returns an empty text if
 * `statement` contains no SQL text.
 */
export function textOf(statement: unknown): string {
  const text = typeof statement === 'object' && statement !== null && 'text' in statement ? statement.text : statement
  return typeof text === 'string' ? text : ''
}
