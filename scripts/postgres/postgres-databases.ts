import postgres from 'postgres'

/** Creates a database on the server of `serverUrl` unless it exists; returns its URL. @throws when the role may not */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  if (!(await hasDatabase(serverUrl, name))) {
    await withConnection(serverUrl, (sql) => sql`CREATE DATABASE ${sql(name)}`)
  }
  return databaseUrlOf(serverUrl, name)
}

/** Removes a database, and whatever is connected to it, if it exists. */
export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await withConnection(serverUrl, (sql) => sql`DROP DATABASE IF EXISTS ${sql(name)} WITH (FORCE)`)
}

export async function hasDatabase(serverUrl: string, name: string): Promise<boolean> {
  const rows = await withConnection(serverUrl, (sql) => sql`SELECT 1 FROM pg_database WHERE datname = ${name}`)
  return rows.length > 0
}

/** The URL of another database of the same server and role. */
export function databaseUrlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

/** One connection for one piece of work; `settings` are the driver's. */
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
