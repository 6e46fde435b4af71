import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { withConnection } from './postgres-databases.ts'

/** The database login for SQL queries of analysts. */
export const readerLogin = 'market_reader'

/** The database login of people who analyse the data. It is used only on a standby. */
export const analystLogin = 'market_analyst'

/** The database login of `npm run export`, which writes the data to files. It is used on a standby. */
export const exporterLogin = 'market_exporter'

/** The logins of the programs. They are some of the logins that `ops/database/logins.sql` creates. */
const logins = ['market_indexer', 'market_service', readerLogin] as const
/**
 * The logins that a standby needs. They get a password only on the project's own server, because only of this server
 * does `npm start` create a standby.
 */
const standbyLogins = ['market_replica', analystLogin, exporterLogin] as const
type Login = (typeof logins | typeof standbyLogins)[number]

/** The URLs of one database. Each program has a URL with its own login. */
export interface DatabaseLogins {
  /** URL with the login that owns Ponder's schemas and the schema `market`. */
  indexerUrl: string
  /** URL with the login that owns the schema `service` and reads the schema `market`. */
  serviceUrl: string
  /**
   * URL with the login that reads the schema `market`. Null if the server has no such login; there is then no SQL for
   * analysts and no GraphQL.
   */
  readerUrl: string | null
  /** The reason why all programs use one login, as a sentence for the operator. Null if the three logins exist. */
  limitation: string | null
}

/** Runs `ops/database/logins.sql` in the database of `url`, with the login of this URL. Does not change passwords. */
export async function applyLogins(url: string): Promise<void> {
  await withConnection(url, (sql) => sql.begin((transaction) => runScript(transaction)))
}

/**
 * Prepares a database for its three logins and returns their URLs. The passwords are derived from the password in
 * `url`. They are therefore the same at every start and for every database of the server, and are not stored.
 *
 * In two cases, all programs use the login of `url`, and nothing on the server is changed: this login may not create
 * roles, or the server already has such logins with other passwords (another installation uses them).
 * @param url URL of the database, with a superuser of the server
 * @param isOwnServer true if only this project uses the server; a login with another password then gets the derived
 * password
 */
export async function openLogins(url: string, { isOwnServer }: { isOwnServer: boolean }): Promise<DatabaseLogins> {
  const limitation = await prepare(url, isOwnServer)
  if (limitation !== null) return { indexerUrl: url, serviceUrl: url, readerUrl: null, limitation }
  return {
    indexerUrl: loginUrl(url, 'market_indexer'),
    serviceUrl: loginUrl(url, 'market_service'),
    readerUrl: loginUrl(url, readerLogin),
    limitation: null,
  }
}

/**
 * Returns the URL of the same database with another login. The URL contains the password that `openLogins` sets for
 * this login.
 */
export function loginUrl(url: string, login: Login): string {
  const loginUrl = new URL(url)
  loginUrl.username = login
  loginUrl.password = passwordOf(url, login)
  return loginUrl.href
}

/** Prepares a database for the three logins. @returns null if the three logins work, otherwise the reason why not */
async function prepare(url: string, isOwnServer: boolean): Promise<string | null> {
  try {
    const { password, hostname } = new URL(url)
    if (!isOwnServer && (password === '' || hostname === '')) {
      return 'DATABASE_URL has no host or no password, from which those of the logins would follow'
    }
    const existingLogins = await listExisting(url)
    if (existingLogins === null) return 'this database login may not create roles'
    if (!isOwnServer) {
      const foreignLogin = await findForeign(url, existingLogins)
      if (foreignLogin !== null) return `the server has a login ${foreignLogin} with a password of its own`
    }
    await withConnection(url, (sql) =>
      sql.begin(async (transaction) => {
        await runScript(transaction)
        // In a database that was not prepared a login has all of PUBLIC's rights.
        if (isOwnServer) await transaction`REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC`
        const missingLogins = logins.filter((login) => !existingLogins.includes(login))
        for (const login of isOwnServer ? [...logins, ...standbyLogins] : missingLogins) {
          await transaction.unsafe(`ALTER ROLE ${login} PASSWORD '${passwordOf(url, login)}'`)
        }
      }),
    )
    return null
  } catch (error) {
    if (!(error instanceof postgres.PostgresError) || isOwnServer) throw error
    return `ops/database/logins.sql failed on this login (${error.message})`
  }
}

/** Lists the programs' logins that the server already has. @returns null if the login of `url` may not create roles */
async function listExisting(url: string): Promise<Login[] | null> {
  return await withConnection(url, async (sql) => {
    const [ownRole] = await sql<{ mayCreate: boolean }[]>`
      SELECT rolsuper OR rolcreaterole AS "mayCreate" FROM pg_roles WHERE rolname = current_user`
    if (ownRole?.mayCreate !== true) return null
    const rows = await sql<{ name: Login }[]>`SELECT rolname AS name FROM pg_roles WHERE rolname = ANY(${[...logins]})`
    return rows.map(({ name }) => name)
  })
}

/** Returns the first existing login that has another password than the derived one; null if there is none. */
async function findForeign(url: string, existingLogins: readonly Login[]): Promise<Login | null> {
  for (const login of existingLogins) {
    const target = new URL(loginUrl(url, login))
    try {
      await withConnection(target.href, (sql) => sql`SELECT 1`, { fetch_types: false })
    } catch (error) {
      const code = error instanceof postgres.PostgresError ? error.code : ''
      // 28: the password; the others: it is right, and the database is not prepared, or all connections are taken.
      if (code.startsWith('28')) return login
      if (!['42501', '3D000', '53300'].includes(code)) throw error
    }
  }
  return null
}

/** Runs `ops/database/logins.sql` as one query with many statements. Either all statements take effect, or none. */
async function runScript(transaction: postgres.TransactionSql): Promise<void> {
  const script = readFileSync(join(repositoryRoot, 'ops', 'database', 'logins.sql'), 'utf8')
  await transaction.unsafe(script)
}

/** Derives the password of a login from the password in `url`. The password is hex, so it needs no quoting. */
function passwordOf(url: string, login: Login): string {
  const secret = decodeURIComponent(new URL(url).password)
  return createHmac('sha256', `task market ${secret}`).update(login).digest('hex').slice(0, 32)
}
