import { hasSqlDetails, parseSync } from 'libpg-query'
import { admittedFunctions } from './admitted-functions.ts'
import { QueryFailed } from './query-failure.ts'

/**
 * A node of the syntax tree from `libpg-query`: an object with one key. The key is the node's type, and the value has
 * the fields.
 */
type Tree = Record<string, unknown>

/**
 * Accepts a text only if it is one SELECT that calls only admitted functions. The function checks nothing else. The
 * rights of the database login limit what a query can read. The read-only server refuses every write. The caller must
 * first await `loadModule` of `libpg-query`. Example: `checkQuery('SELECT $1')` returns `1`.
 * @returns the highest number of a parameter `$n`, or 0 without parameters
 * @throws QueryFailed `syntax` or `refused`
 */
export function checkQuery(text: string): number {
  const [statement, ...others] = statementsOf(text)
  if (statement === undefined || others.length > 0) throw refused('Send one statement.')
  if (!isTree(statement.stmt) || !('SelectStmt' in statement.stmt)) {
    throw refused(
      'Only SELECT is run here (WITH, VALUES and TABLE too); for a plan send the SELECT to /api/sql/explain.',
    )
  }
  let parameters = 0
  // A list instead of recursion: a query may be nested as deeply as the parser accepts.
  const pendingNodes: unknown[] = [statement.stmt]
  while (pendingNodes.length > 0) {
    const value = pendingNodes.pop()
    if (typeof value !== 'object' || value === null) continue
    // Reversed, so that the first part of the text is checked first.
    for (const [key, child] of Object.entries(value).reverse()) {
      if (key === 'FuncCall' && isTree(child)) checkCall(child, text)
      if (key === 'intoClause') throw refused('SELECT INTO writes a table; leave INTO out.')
      if (key === 'ParamRef' && isTree(child)) parameters = Math.max(parameters, Number(child.number ?? 0))
      pendingNodes.push(child)
    }
  }
  return parameters
}

function statementsOf(text: string): Tree[] {
  try {
    return (parseSync(text).stmts ?? []) as Tree[]
  } catch (error) {
    if (error instanceof Error && error.message === 'Query cannot be empty') throw refused('The query is empty.')
    if (!hasSqlDetails(error)) throw error
    const { message, cursorPosition } = error.sqlDetails ?? { message: 'syntax error', cursorPosition: -1 }
    const position = cursorPosition >= 0 ? cursorPosition + 1 : null
    throw new QueryFailed({ kind: 'syntax', message: `${message}.`, position })
  }
}

function checkCall({ funcname, location }: Tree, text: string): void {
  const names = (Array.isArray(funcname) ? funcname : []).map(nameOf)
  const name = names.at(-1) ?? ''
  const isBuiltIn = names.length === 1 || (names.length === 2 && names[0] === 'pg_catalog')
  if (isBuiltIn && admittedFunctions.has(name)) return
  const printableName = `"${name.replace(/[^\w.-]/g, '?').slice(0, 63)}"`
  const position = typeof location === 'number' ? characterAt(text, location) : null
  throw refused(
    `The function ${printableName} is not admitted; docs/build/analytics.md lists those that are.`,
    position,
  )
}

function nameOf(node: unknown): string {
  const string = isTree(node) ? node.String : undefined
  return isTree(string) && typeof string.sval === 'string' ? string.sval : ''
}

/**
 * Converts a byte offset from the parser to a character number, counted from 1. The offset counts bytes of the UTF-8
 * text.
 */
function characterAt(text: string, offset: number): number {
  const before = Buffer.from(text, 'utf8').subarray(0, offset).toString('utf8')
  return Array.from(before).length + 1
}

function refused(message: string, position: number | null = null): QueryFailed {
  return new QueryFailed({ kind: 'refused', message, position })
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
