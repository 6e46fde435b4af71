import postgres from 'postgres'
import type { DoctorContext } from './open-context.ts'

/**
 * The purpose of a database URL. `api`, `indexer`, `exporter`, `keeper`: the program that connects with the URL.
 * `reader`: SQL of analysts, and GraphQL. `replica`: reads of the service from a copy of the database.
 */
export type DatabaseRole = 'api' | 'indexer' | 'reader' | 'exporter' | 'keeper' | 'replica'

/** A database URL in the settings, and the purpose for which a program connects with the URL. */
export interface DatabaseUse {
  setting: string
  role: DatabaseRole
  url: string
  /** The kind of database server that a program with this role must use. */
  place: 'primary' | 'standby' | 'any'
}

/** Lists the database URLs in the settings with their purposes. */
export function listDatabases({ programs, config }: Pick<DoctorContext, 'programs' | 'config'>): DatabaseUse[] {
  const { indexer, graphql, export: exporter, 'standby-keeper': keeper } = programs
  const indexerUrl = indexer.isSet ? indexer.values.DATABASE_URL : undefined
  const readerUrl = config?.READER_DATABASE_URL ?? (graphql.isSet ? graphql.values.READER_DATABASE_URL : undefined)
  const uses: [string, DatabaseRole, DatabaseUse['place'], string | undefined][] = [
    ['DATABASE_URL', 'api', 'primary', config?.DATABASE_URL],
    // The environment of the service contains all settings of the indexer except its login.
    ['DATABASE_URL', 'indexer', 'primary', indexerUrl === config?.DATABASE_URL ? undefined : indexerUrl],
    ['READER_DATABASE_URL', 'reader', 'any', readerUrl],
    [
      'EXPORTER_DATABASE_URL',
      'exporter',
      'standby',
      exporter.isSet ? exporter.values.EXPORTER_DATABASE_URL : undefined,
    ],
    ['STANDBY_DATABASE_URL', 'keeper', 'standby', keeper.isSet ? keeper.values.STANDBY_DATABASE_URL : undefined],
  ]
  const replicas = config?.READ_DATABASE_URLS ?? []
  return [
    ...uses.flatMap(([setting, role, place, url]) => (url === undefined ? [] : [{ setting, role, place, url }])),
    ...replicas.map((url, index) => ({
      setting: replicas.length === 1 ? 'READ_DATABASE_URLS' : `READ_DATABASE_URLS (${index + 1})`,
      role: 'replica' as const,
      place: 'standby' as const,
      url,
    })),
  ]
}

/** Returns the name by which the doctor's findings mention a database URL. Example: `DATABASE_URL of api`. */
export function nameOf({ setting, role }: Pick<DatabaseUse, 'setting' | 'role'>): string {
  return setting === 'DATABASE_URL' ? `DATABASE_URL of ${role}` : setting
}

/**
 * Runs `work` on one new connection, and then closes it. The connection uses only settings that old PostgreSQL
 * servers also have.
 */
export async function withConnection<Result>(
  url: string,
  work: (sql: postgres.Sql) => Promise<Result>,
): Promise<Result> {
  const sql = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {}, fetch_types: false })
  try {
    return await work(sql)
  } finally {
    await sql.end({ timeout: 1 })
  }
}
