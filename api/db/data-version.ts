import type { Queryable } from './client.ts'

/**
 * The version of the data that this release reads and writes. Raise the version with a change after which the previous
 * release would return or write wrong data.
 *
 * The same change must also declare the oldest data version: the lowest data version of the older releases that may
 * still run. A migration declares the oldest data version in its first line. A change of the indexer's rows declares
 * the oldest data version as `OLDEST_VERSION` in ops/indexer/views-schema.ts.
 */
export const DATA_VERSION = 4

/**
 * The first migration file that declares an oldest data version: the lowest data version that a release must have to
 * run after the migration. For earlier migrations, the oldest data version is 1.
 */
const FIRST_WITH_VERSION = '0043.sql'

/**
 * Returns the lowest data version that a release must have to run after a migration. Example: 2 for a file that begins
 * with `-- Oldest data version: 2`.
 * @throws Error if the line is missing
 */
export function parseOldestVersion(name: string, text: string): number {
  if (name < FIRST_WITH_VERSION) return 1
  const version = /^-- Oldest data version: (\d+)\n/.exec(text)?.[1]
  if (version === undefined) throw new Error(`${name} must begin with the line "-- Oldest data version: <number>"`)
  return Number(version)
}

/** Returns the reason why this release may not run on the service's tables, or null if it may run. */
export async function findTablesFault(sql: Queryable): Promise<string | null> {
  const [newest] = await sql<{ name: string; oldestVersion: number }[]>`
    select name, oldest_version from service.migrations order by oldest_version desc, name limit 1`
  if (newest === undefined || newest.oldestVersion <= DATA_VERSION) return null
  const { name, oldestVersion } = newest
  return (
    `this service has data version ${DATA_VERSION}, and migration ${name} of its database needs ${oldestVersion} or ` +
    'newer: start a release that has this migration; to go back, restore a copy of the database from before it'
  )
}
