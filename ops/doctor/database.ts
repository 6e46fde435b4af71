import { findVersionFault } from '../../api/db/check-postgres.ts'
import { findTablesFault } from '../../api/db/data-version.ts'
import { findForeignOwner } from '../../api/db/own-database.ts'
import { defineCheck, type Observation } from './check.ts'
import { type DatabaseUse, listDatabases, nameOf, withConnection } from './database-roles.ts'
import { describeFailure } from './describe-failure.ts'
import type { DoctorContext } from './open-context.ts'

type Name =
  | 'unreachable'
  | 'too_old'
  | 'wrong_server'
  | 'read_only'
  | 'encoding'
  | 'no_plpgsql'
  | 'few_connections'
  | 'other_contracts'
  | 'newer_tables'

/** The minimum number of free connections. A server with fewer is reported. */
const LEAST_FREE = 10

/** The doctor check for the database servers and their tables. */
export const databaseCheck = defineCheck<Name>({
  name: 'database',
  looksAt:
    'each PostgreSQL: answer, version, encoding, extensions, connections, primary or standby; whose contracts and which release its tables are of',
  faults: {
    unreachable: {
      result: 'wrong',
      meaning: '... leads to no database that lets this login in',
      remedy: 'Look at host, port, name and password in it, at pg_hba.conf, and whether the server runs.',
    },
    too_old: {
      result: 'wrong',
      meaning: '... leads to a server that is too old',
      remedy: 'Upgrade the server to PostgreSQL 17 or newer.',
    },
    wrong_server: {
      result: 'wrong',
      meaning: '... leads to the wrong kind of server',
      remedy: 'Name the primary in DATABASE_URL, and a standby where docs/operate/settings.md says so.',
    },
    read_only: {
      result: 'wrong',
      meaning: '... leads to a server that takes no writes',
      remedy: 'Look at default_transaction_read_only, and at the disk of the server.',
    },
    encoding: {
      result: 'wrong',
      meaning: '... leads to a database that cannot store every text',
      remedy: "Create the database again: CREATE DATABASE market ENCODING 'UTF8' TEMPLATE template0.",
    },
    no_plpgsql: {
      result: 'wrong',
      meaning: '... leads to a database without the extension plpgsql, the only one that is needed',
      remedy: 'CREATE EXTENSION plpgsql, as a superuser of this database.',
    },
    few_connections: {
      result: 'warning',
      meaning: '... leads to a server with few connections left',
      remedy: 'Raise max_connections (docs/internals/scaling.md has figures), or end what holds them.',
    },
    other_contracts: {
      result: 'wrong',
      meaning: '... leads to the database of another deployment',
      remedy: 'Name the database of these contracts, or a new one: one database belongs to one forwarder.',
    },
    newer_tables: {
      result: 'wrong',
      meaning: '... leads to tables that this release must not use',
      remedy: 'Start a release that has the newest migration.',
    },
    no_answer: {
      result: 'wrong',
      meaning: 'the databases gave no answer',
      remedy: 'Look at the load of the server and at the network to it.',
    },
  },
  find: async (context) => {
    const uses = listDatabases(context)
    if (uses.length === 0) return [{ unchecked: 'no database is set here' }]
    const observations = await Promise.all(uses.map(checkServer))
    return [...observations.flat(), ...(await checkTables(context))]
  },
})

/** The state of a database server, as far as an ordinary login can read it. */
export interface ServerFacts {
  versionNumber: number
  isStandby: boolean
  isReadOnly: boolean
  encoding: string
  hasPlpgsql: boolean
  /** The number of connections that an ordinary login can still open; null if the login may not count connections. */
  freeConnections: number | null
  maxConnections: number
}

/** Compares the state of a server with the requirements of one database URL. */
export function judgeServer(
  use: Pick<DatabaseUse, 'setting' | 'role' | 'place'>,
  facts: ServerFacts,
): Observation<Name>[] {
  const of = nameOf(use)
  const { versionNumber, isStandby, isReadOnly, encoding, hasPlpgsql, freeConnections, maxConnections } = facts
  const { place } = use
  const versionFault = findVersionFault(versionNumber)
  const faults: (Observation<Name> | false)[] = [
    versionFault !== null && { fault: 'too_old', of, detail: versionFault },
    place === 'primary' &&
      isStandby && { fault: 'wrong_server', of, detail: 'it is a standby, and this is the primary’s' },
    place === 'standby' &&
      !isStandby && { fault: 'wrong_server', of, detail: 'it is a primary, and this is a standby’s' },
    place === 'primary' && !isStandby && isReadOnly && { fault: 'read_only', of },
    encoding !== 'UTF8' && { fault: 'encoding', of, detail: `its encoding is ${encoding}` },
    !hasPlpgsql && { fault: 'no_plpgsql', of },
    place === 'primary' &&
      freeConnections !== null &&
      freeConnections < LEAST_FREE && {
        fault: 'few_connections',
        of,
        detail: `${freeConnections} of ${maxConnections} are free`,
      },
  ]
  const presentFaults = faults.filter((fault) => fault !== false)
  if (presentFaults.length > 0) return presentFaults
  const version = `PostgreSQL ${Math.floor(versionNumber / 10_000)}.${versionNumber % 10_000}`
  const connections = freeConnections === null ? '' : `, ${freeConnections} of ${maxConnections} connections free`
  return [{ ok: `${of}: ${version}, a ${isStandby ? 'standby' : 'primary'}${connections}` }]
}

async function checkServer(use: DatabaseUse): Promise<Observation<Name>[]> {
  try {
    return judgeServer(use, await withConnection(use.url, (sql) => readServer(sql, use.place)))
  } catch (error) {
    return [{ fault: 'unreachable', of: nameOf(use), detail: describeFailure(error) }]
  }
}

async function readServer(
  sql: Parameters<Parameters<typeof withConnection>[1]>[0],
  place: DatabaseUse['place'],
): Promise<ServerFacts> {
  const [facts] = await sql<Omit<ServerFacts, 'freeConnections'>[]>`
    select current_setting('server_version_num')::int as "versionNumber",
      pg_is_in_recovery() as "isStandby",
      current_setting('transaction_read_only') = 'on' as "isReadOnly",
      current_setting('server_encoding') as encoding,
      exists (select from pg_extension where extname = 'plpgsql') as "hasPlpgsql",
      current_setting('max_connections')::int as "maxConnections"`
  if (facts === undefined) throw new Error('a select without a table has one row')
  // The logins of analysts may not read the server's state.
  if (place !== 'primary') return { ...facts, freeConnections: null }
  const [countRow] = await sql<{ free: number }[]>`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - (select count(*)::int from pg_stat_activity where datid is not null) as free`
  return { ...facts, freeConnections: countRow?.free ?? null }
}

async function checkTables(context: DoctorContext): Promise<Observation<Name>[]> {
  const { database } = context
  if (database === null) return []
  try {
    if (!(await context.hasTables())) return [{ unchecked: 'tables of the service: its first start makes them' }]
    const fault = await findTablesFault(database)
    if (fault !== null) return [{ fault: 'newer_tables', of: 'DATABASE_URL of api', detail: fault }]
    const deployment = await context.readDeployment().catch(() => null)
    const foreignOwner = deployment === null ? null : await findForeignOwner(database, deployment)
    if (foreignOwner !== null) return [{ fault: 'other_contracts', of: 'DATABASE_URL of api', detail: foreignOwner }]
    return [{ ok: 'tables of the service: of this release, and of these contracts' }]
  } catch {
    // Another finding covers the server or the login.
    return []
  }
}
