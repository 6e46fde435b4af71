import type { TestProject } from 'vitest/node'
import { endLeftovers } from '../../ops/process/process-registry.ts'
import { startPostgres } from '../../scripts/postgres/postgres.ts'
import { withConnection } from '../../scripts/postgres/postgres-databases.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The administrative database of the test run's Postgres server: `inject('postgresUrl')`. */
    postgresUrl: string
  }
}

/**
 * Starts one Postgres server for all projects of a run that need one (vitest sets them up in sequence), and
 * ends it when the run ends, with every process that a test left running, which then fails the run.
 */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const root = project.vitest.getRootProject()
  if (root.getProvidedContext().postgresUrl !== undefined) return undefined
  await endLeftovers()
  const server = await startPostgres({ inMemory: true })
  await setForTests(server.url)
  // Logins belong to the server, which many files share: logins.sql keeps an existing limit, and sets 7
  // otherwise.
  await withConnection(server.url, (sql) => sql`CREATE ROLE market_reader LOGIN CONNECTION LIMIT 100`)
  root.provide('postgresUrl', server.url)
  return async () => {
    await server.stop()
    const leftovers = await endLeftovers()
    if (leftovers.length > 0) throw new Error(`tests left processes behind: ${leftovers.join(', ')}`)
  }
}

/** Switches autovacuum off: statistics that it gathers in the middle of a test change the plans of statements. */
async function setForTests(url: string): Promise<void> {
  await withConnection(url, async (sql) => {
    await sql`ALTER SYSTEM SET autovacuum = off`
    await sql`SELECT pg_reload_conf()`
  })
}
