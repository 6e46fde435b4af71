import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { inject } from 'vitest'

export interface TestDatabase {
  url: string
  /** Removes it; fails while a connection to it is open, so that a leaked pool is found. */
  drop(): Promise<void>
}

/**
 * Creates a database for one test file, empty or as a copy of `template` (a database without connections).
 * @param server the server's administrative database; absent: the one that vitest provides to its workers
 */
export async function createTestDatabase(template = 'template1', server?: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const administrative = server ?? inject('postgresUrl')
  const sql = administratorOf(administrative)
  await sql`CREATE DATABASE ${sql(name)} TEMPLATE ${sql(template)} STRATEGY file_copy`
  return {
    url: databaseUrl(administrative, name),
    drop: async () => {
      await sql`DROP DATABASE ${sql(name)}`
    },
  }
}

/** Templates that this process has found, by server and name. */
const templates = new Set<string>()

/**
 * Ensures that the database `name` exists and was filled once by `build`, with any number of concurrent
 * callers, in this process or another.
 * @param server as in `createTestDatabase`
 * @returns `name`, to be used as a template
 */
export async function ensureTemplate(
  name: string,
  build: (url: string) => Promise<void>,
  server?: string,
): Promise<string> {
  const administrative = server ?? inject('postgresUrl')
  const place = `${administrative} ${name}`
  if (templates.has(place)) return name
  const sql = postgres(administrative, { max: 1, onnotice: () => {} })
  try {
    // Held until the connection ends; a concurrent file waits here and finds the template.
    await sql`SELECT pg_advisory_lock(hashtext(${name}))`
    const existing = await sql`SELECT 1 FROM pg_database WHERE datname = ${name}`
    if (existing.length === 0) {
      const unfinished = `${name}_unfinished`
      await sql`DROP DATABASE IF EXISTS ${sql(unfinished)}`
      await sql`CREATE DATABASE ${sql(unfinished)}`
      await build(databaseUrl(administrative, unfinished))
      await sql`ALTER DATABASE ${sql(unfinished)} RENAME TO ${sql(name)}`
    }
    templates.add(place)
    return name
  } finally {
    await sql.end()
  }
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

const administrators = new Map<string, postgres.Sql>()

/** A connection that is kept for the next file. */
function administratorOf(server: string): postgres.Sql {
  const existing = administrators.get(server)
  if (existing !== undefined) return existing
  const sql = postgres(server, { max: 1, fetch_types: false, idle_timeout: 10, onnotice: () => {} })
  administrators.set(server, sql)
  return sql
}
