const begin = /^begin\b/i
const end = /^(commit|rollback)$/i
/** Statements that write no table of the schema. */
const harmless = /^\s*(select|savepoint|release|rollback to|copy "[^".]+" |truncate table "[^".]+"$)/i
const named = /"[^"]+"\."([^"]+)"/g

/** The tables written by the transaction of a connection. */
export interface WrittenTables {
  /** Reads the text of the next statement of the connection. */
  read(text: string): void
  /** Returns true if a table may have been written, also outside of a transaction, and after a statement that names no table. */
  mayHave(table: string): boolean
}

/**
 * Finds the tables that the open transaction of one connection writes, from the text of its statements. Ponder's
 * statements write a table with its schema: `"schema"."table"`.
 *
 * Example: after `begin` and `insert into "idx_5f0c2a9be41d7783"."bid" ...` `mayHave('bid')` is true and
 * `mayHave('task')` is false.
 */
export function createWrittenTables(): WrittenTables {
  let written: Set<string> | null = null
  return {
    read(text) {
      if (begin.test(text)) {
        written = new Set()
        return
      }
      if (end.test(text)) written = null
      if (written === null || harmless.test(text)) return
      const tables = [...text.matchAll(named)].flatMap(([, name]) => name ?? [])
      if (tables.length === 0) written = null
      else for (const name of tables) written.add(name)
    },
    mayHave: (table) => written === null || written.has(table),
  }
}

const known = new WeakMap<object, WrittenTables>()

/** Returns the tables of a connection's transaction. @param client a client of the library `pg` */
export function writtenTablesOf(client: object): WrittenTables {
  const tables = known.get(client) ?? createWrittenTables()
  known.set(client, tables)
  return tables
}
