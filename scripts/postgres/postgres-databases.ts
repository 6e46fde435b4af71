import postgres from 'postgres'

/**
 * Creates a database on a server, unless it exists. @returns the database's URL @throws if the login may not create
 * databases
 */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  if (!(await hasDatabase(serverUrl, name))) {
    await withConnection(serverUrl, (sql) => sql`CREATE DATABASE ${sql(name)}`)
  }
  return databaseUrlOf(serverUrl, name)
}

/** Deletes a database if it exists. Ends all connections to it first. */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await withConnection(serverUrl, (sql) => sql`DROP DATABASE IF EXISTS ${sql(name)} WITH (FORCE)`)
}

export async function hasDatabase(serverUrl: string, name: string): Promise<boolean> {
  const rows = await withConnection(serverUrl, (sql) => sql`SELECT 1 FROM pg_database WHERE datname = ${name}`)
  return rows.length > 0
}

/** Returns the URL of another database on the same server, with the same login. */
export function databaseUrlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/**
 * Opens a connection, runs a function with it, and closes the connection. `settings` are passed to the database driver.
 */
export async function withConnection<T>(
  url: string,
  work: (sql: postgres.Sql) => Promise<T>,
  settings: postgres.Options<Record<string, never>> = {},
): Promise<T> {
  const sql = postgres(url, { ...settings, max: 1, onnotice: () => {} })
  try {
    return await work(sql)
  } finally {
    await sql.end()
  }
}
