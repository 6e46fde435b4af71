import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { withConnection } from './postgres-databases.ts'

/** The login of analysts' queries. */
export const readerLogin = 'market_reader'

/** The login of people who analyse the data, at a standby only. */
export const analystLogin = 'market_analyst'

/** The login that writes files of the data, at a standby. */
export const exporterLogin = 'market_exporter'

/** The logins of the processes, of those that `ops/database/logins.sql` creates. */
const logins = ['market_indexer', 'market_service', readerLogin] as const
/** The logins of a standby. They get a password on our own server only, of which `npm start` makes a standby. */
const standbyLogins = ['market_replica', analystLogin, exporterLogin] as const
type Login = (typeof logins | typeof standbyLogins)[number]

/** One database, by the login that each process uses. */
export interface DatabaseLogins {
  /** Owns the schemas of Ponder and `market`. */
  indexerUrl: string
  /** Owns `service`, reads `market`. */
  serviceUrl: string
  /** Reads `market`; null: the server has no such login, so there is no SQL and no GraphQL for analysts. */
  readerUrl: string | null
  /** Why there is only one login, as a sentence for the operator; null: there are three. */
  limitation: string | null
}

/** Runs the script in the database of `url`, as its login. The passwords stay as they are. */
export async function applyLogins(url: string): Promise<void> {
  await withConnection(url, (sql) => sql.begin((transaction) => runScript(transaction)))
}

/**
 * Prepares a database for its three logins and returns their URLs. The passwords follow from the one in `url`, so they
 * are the same at every start and for every database of the server, and are stored nowhere.
 *
 * Where that login may not create roles, or the server has such logins with other passwords (another installation uses
 * them), everything runs on the login of `url`, and nothing on the server is changed.
 * @param url the database, as a superuser of the server
 * @param isOwnServer the server is ours alone: a password that differs is set again
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

/** Returns the URL of the same database with another login, and the password that `openLogins` sets for it. */
export function loginUrl(url: string, login: Login): string {
  const loginUrl = new URL(url)
  loginUrl.username = login
  loginUrl.password = passwordOf(url, login)
  return loginUrl.href
}

/** @returns null when the three logins work, else why not */
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

/** The logins that the server has; null when this login may not create roles. */
async function listExisting(url: string): Promise<Login[] | null> {
  return await withConnection(url, async (sql) => {
    const [ownRole] = await sql<{ mayCreate: boolean }[]>`
      SELECT rolsuper OR rolcreaterole AS "mayCreate" FROM pg_roles WHERE rolname = current_user`
    if (ownRole?.mayCreate !== true) return null
    const rows = await sql<{ name: Login }[]>`SELECT rolname AS name FROM pg_roles WHERE rolname = ANY(${[...logins]})`
    return rows.map(({ name }) => name)
  })
}

/** The first existing login that refuses the derived password. */
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

/** One simple query of many statements, so all of it or nothing. */
async function runScript(transaction: postgres.TransactionSql): Promise<void> {
  const script = readFileSync(join(repositoryRoot, 'ops', 'database', 'logins.sql'), 'utf8')
  await transaction.unsafe(script)
}

/** Hex, so it needs no quoting anywhere. */
function passwordOf(url: string, login: Login): string {
  const secret = decodeURIComponent(new URL(url).password)
  return createHmac('sha256', `task market ${secret}`).update(login).digest('hex').slice(0, 32)
}
