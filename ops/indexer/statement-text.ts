/** Returns the SQL text of the first parameter of a client's `query`; an empty text if it has none. */
export function textOf(statement: unknown): string {
  const text = typeof statement === 'object' && statement !== null && 'text' in statement ? statement.text : statement
  return typeof text === 'string' ? text : ''
}
