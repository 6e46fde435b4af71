import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database, Transaction } from './client.ts'
import { findTablesFault, parseOldestVersion } from './data-version.ts'

const MIGRATIONS_DIRECTORY = join(import.meta.dirname, 'migrations')
/**
 * The NOTIFY channel that announces applied migrations. After the announcement, a process of an older release exits if
 * the release must not use the migrated tables.
 */
export const MIGRATED_CHANNEL = 'service_migrated'
/** The number of the advisory lock for migrations. No other code uses this number. */
const MIGRATION_LOCK = 8_453_001

/**
 * The first statement of the first migration. `migrate` leaves it out and creates the schema itself if the schema is
 * missing.
 *
 * PostgreSQL refuses the statement to a login without the right to create schemas, even if the schema exists.
 */
const SCHEMA_STATEMENT = 'create schema if not exists service;'

interface Migration {
  /** The file name, such as `0001.sql`. */
  name: string
  text: string
  sha256: string
  /** The lowest data version that a release must have to run after the migration. */
  oldestVersion: number
}

/**
 * Migrates the schema `service`. Each file of `migrations/` is applied once, by name, in one transaction. Concurrent
 * processes wait for each other.
 * @param directory the directory of the files; by default that of this release
 * @returns the names of the files that were applied
 * @throws Error if a file was changed after it was applied, or if an applied migration needs a newer release
 */
export async function migrate(sql: Database, directory = MIGRATIONS_DIRECTORY): Promise<string[]> {
  const migrations = await readMigrations(directory)
  return await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`set local transaction_timeout = 0`
    await tx`select pg_advisory_xact_lock(${MIGRATION_LOCK})`
    // The check is first, because a login that owns the schema and may create no other is refused even where it exists.
    const [schema] = await tx`select to_regnamespace('service') is not null as exists`
    if (schema?.exists !== true) await tx`create schema service`
    await tx`
      create table if not exists service.migrations (
        name text primary key,
        sha256 text not null,
        applied_at timestamptz not null default now()
      )`
    const appliedChecksums = await listApplied(tx)
    const pendingMigrations = migrations.filter((migration) => isPending(migration, appliedChecksums))
    for (const migration of pendingMigrations) await apply(tx, migration)
    if (pendingMigrations.length > 0) {
      const rows = pendingMigrations.map(({ name, sha256, oldestVersion }) => ({ name, sha256, oldestVersion }))
      await tx`insert into service.migrations ${tx(rows)}`
      await tx`select pg_notify(${MIGRATED_CHANNEL}, '')`
    }
    const fault = await findTablesFault(tx)
    if (fault !== null) throw new Error(fault)
    return pendingMigrations.map((migration) => migration.name)
  })
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  return await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(directory, name), 'utf8')
      const sha256 = createHash('sha256').update(text).digest('hex')
      return { name, text, sha256, oldestVersion: parseOldestVersion(name, text) }
    }),
  )
}

async function listApplied(tx: Transaction): Promise<Map<string, string>> {
  const rows = await tx<{ name: string; sha256: string }[]>`select name, sha256 from service.migrations`
  return new Map(rows.map((row) => [row.name, row.sha256]))
}

function isPending(migration: Migration, checksums: Map<string, string>): boolean {
  const sha256 = checksums.get(migration.name)
  if (sha256 !== undefined && sha256 !== migration.sha256) {
    throw new Error(`${migration.name} was changed after it had been applied to this database: add a new file instead`)
  }
  return sha256 === undefined
}

async function apply(tx: Transaction, migration: Migration): Promise<void> {
  // A trusted file with many statements and no parameters.
  await tx.unsafe(migration.text.replace(SCHEMA_STATEMENT, ''))
}
