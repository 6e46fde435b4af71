const begin = /^begin\b/i
const end = /^(commit|rollback)$/i
/**
 * Matches a statement that writes no table of the indexer's schema: a read, a savepoint, or the filling or emptying of
 * a table that is named without a schema (a temporary table).
 */
const harmlessPattern = /^\s*(select|savepoint|release|rollback to|copy "[^".]+" |truncate table "[^".]+"$)/i
const namePattern = /"[^"]+"\."([^"]+)"/g

/** The tables that the open transaction of one connection has written. */
export interface WrittenTables {
  /** Reads the SQL text of the connection's next statement, and updates the list of written tables. */
  read(text: string): void
  /**
   * Returns true if the transaction may have written the table. Also returns true if the answer is unknown: outside of
   * a transaction, and after a statement without a table's name.
   */
  mayHave(table: string): boolean
}

/**
 * Creates an object that reads the SQL text of a connection's statements, and finds the tables that the open
 * transaction writes. Ponder names a written table with its schema: `"schema"."table"`.
 *
 * Example: after `begin` and `insert into "idx_5f0c2a9be41d7783"."bid" ...`, `mayHave('bid')` is true and
 * `mayHave('task')` is false.
 */
export function createWrittenTables(): WrittenTables {
  let writtenTables: Set<string> | null = null
  return {
    read(text) {
      if (begin.test(text)) {
        writtenTables = new Set()
        return
      }
      if (end.test(text)) writtenTables = null
      if (writtenTables === null || harmlessPattern.test(text)) return
      const tables = [...text.matchAll(namePattern)].flatMap(([, name]) => name ?? [])
      if (tables.length === 0) writtenTables = null
      else for (const name of tables) writtenTables.add(name)
    },
    mayHave: (table) => writtenTables === null || writtenTables.has(table),
  }
}

const tablesByClient = new WeakMap<object, WrittenTables>()

/**
 * Returns the object that records the written tables of a client's connection. Creates the object at the first call for
 * the client.
 * @param client a client of the library `pg`
 */
export function writtenTablesOf(client: object): WrittenTables {
  const tables = tablesByClient.get(client) ?? createWrittenTables()
  tablesByClient.set(client, tables)
  return tables
}
