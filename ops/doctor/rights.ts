import type postgres from 'postgres'
import type { DatabaseRole } from './database-roles.ts'

/** A database right that a program needs or, with `isForbidden`, must not have. */
export interface Right {
  /**
   * The right as a verb phrase, such as "read the schema". A finding about a missing right says "may not" before it. A
   * finding about a right that the login must not have says "may" before it.
   */
  what: string
  /** A boolean SQL expression. True: the login has the right. Null: an object does not exist yet, which is no fault. */
  sql: string
  isForbidden?: true
}

/**
 * Returns an SQL expression that is true if the login owns every table and view in these schemas.
 * @param schemas SQL condition on `nspname`
 */
const ownsAllOf = (schemas: string) => `not exists (
  select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
  where ${schemas} and relkind in ('r', 'p', 'v', 'm') and not pg_has_role(relowner, 'USAGE'))`
const ownsSchema = (name: string) =>
  `(select pg_has_role(nspowner, 'USAGE') from pg_namespace where nspname = '${name}')`
const readsAllOf = (name: string) => `has_schema_privilege(to_regnamespace('${name}')::oid, 'USAGE') and not exists (
  select from pg_class where relnamespace = to_regnamespace('${name}') and relkind in ('r', 'p', 'v', 'm')
    and not has_table_privilege(oid, 'SELECT'))`
const calls = (routine: string) => `has_function_privilege(to_regprocedure('${routine}')::oid, 'EXECUTE')`

const readsMarket: Right = { what: 'read every view of market', sql: readsAllOf('market') }
const analyst: Right[] = [
  readsMarket,
  { what: 'read every view of analytics', sql: readsAllOf('analytics') },
  {
    what: 'use the schema service, which has private texts',
    sql: `has_schema_privilege(to_regnamespace('service')::oid, 'USAGE')`,
    isForbidden: true,
  },
]

/** The rights for each purpose of a database URL. `ops/database/logins.sql` grants them. */
export const rights: Readonly<Record<DatabaseRole, readonly Right[]>> = {
  api: [
    {
      what: 'make the schema service, or own it',
      sql: `coalesce(${ownsSchema('service')}, has_database_privilege(current_database(), 'CREATE'))`,
    },
    { what: 'own every table of service', sql: ownsAllOf(`nspname = 'service'`) },
    { what: 'own the schema analytics', sql: ownsSchema('analytics') },
    readsMarket,
  ],
  indexer: [
    {
      what: 'create schemas and temporary tables in the database',
      sql: `has_database_privilege(current_database(), 'CREATE') and has_database_privilege(current_database(), 'TEMPORARY')`,
    },
    { what: 'create views in market', sql: `has_schema_privilege(to_regnamespace('market')::oid, 'CREATE')` },
    {
      what: 'own every table of the rows',
      sql: ownsAllOf(`(nspname in ('market', 'market_index', 'ponder_sync') or nspname ~ '^idx_[0-9a-f]{16}$')`),
    },
    {
      what: 'make the views of analytics again',
      sql: `${calls('service.drop_analytics()')} and ${calls('service.make_analytics()')}`,
    },
  ],
  reader: analyst,
  exporter: [...analyst, { what: 'pause the replay of the standby', sql: calls('pg_wal_replay_pause()') }],
  keeper: [{ what: 'end sessions of others', sql: `pg_has_role('pg_signal_backend', 'USAGE')` }],
  replica: [readsMarket],
}

/** A login, and the differences between its rights and the rights that its program needs. */
export interface LoginFacts {
  login: string
  isSuperuser: boolean
  /** The maximum number of connections of the login; -1 if it is unlimited. */
  connectionLimit: number
  /** Names (`what`) of the required rights that the login lacks. */
  missing: string[]
  /** Names (`what`) of the forbidden rights that the login has. */
  excessive: string[]
}

/** Reads the login of a connection, and compares the login's rights with the table `rights` for the given role. */
export async function readLogin(sql: postgres.Sql, role: DatabaseRole): Promise<LoginFacts> {
  const roleRights = rights[role]
  const columns = roleRights.map(
    (right, index) => `coalesce(${right.sql}, ${right.isForbidden !== true}) as "${index}"`,
  )
  const [row = {}] = await sql.unsafe<Record<string, boolean>[]>(`select ${columns.join(', ')}`)
  const [login] = await sql<{ login: string; isSuperuser: boolean; connectionLimit: number }[]>`
    select current_user as login, rolsuper as "isSuperuser", rolconnlimit as "connectionLimit"
    from pg_roles where rolname = current_user`
  if (login === undefined) throw new Error('the login of a session is a role')
  return {
    ...login,
    missing: roleRights.flatMap(({ what, isForbidden }, index) => (isForbidden || row[index] === true ? [] : [what])),
    excessive: roleRights.flatMap(({ what, isForbidden }, index) => (isForbidden && row[index] === true ? [what] : [])),
  }
}
