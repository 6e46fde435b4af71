import { createServer } from 'node:http'
import type postgres from 'postgres'
import { describeListenError } from '../../settings/start-problems.ts'
import { describeError } from './describe-error.ts'
import { findChainFault, findMarketFault, type MarketPlace } from './market-place.ts'

/** The result of checking each setting of a standby. `reason` is the reason of the status `failed`. */
export type SettingsReport = Record<'node' | 'deployment' | 'database', { status: 'ok' | 'failed'; reason?: string }>

export interface StandbySettings extends MarketPlace {
  sql: postgres.Sql
}

/** Checks the node, the deployment and the database that this indexer will need when it gets the lock. */
export async function checkSettings({ sql, ...place }: StandbySettings): Promise<SettingsReport> {
  const [node, deployment, database] = await Promise.all([
    report(() => findChainFault(place)),
    report(() => findMarketFault(place)),
    report(async () => {
      const [rights] = await sql`
        SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly",
               has_database_privilege(current_database(), 'CREATE, TEMPORARY') AS database,
               coalesce(has_schema_privilege(to_regnamespace('market')::oid, 'CREATE'), true) AS schema`
      if (rights?.isReadOnly === true) return 'the database is read-only'
      const isAllowed = rights?.database === true && rights.schema === true
      return isAllowed
        ? null
        : 'the login may not create schemas here, or views in `market`; run ops/database/logins.sql'
    }),
  ])
  return { node, deployment, database }
}

async function report(find: () => Promise<string | null>): Promise<SettingsReport['node']> {
  try {
    const reason = await find()
    return reason === null ? { status: 'ok' } : { status: 'failed', reason }
  } catch (error) {
    return { status: 'failed', reason: describeError(error) }
  }
}

export interface StandbyListener {
  host: string
  port: number
  /**
   * State of the process. `standby`: another indexer holds the lock. `waiting`: this process holds the lock, but Ponder
   * cannot start yet.
   */
  status: 'standby' | 'waiting'
}

/**
 * Serves `GET /ready` while Ponder does not run: status 200 if Ponder could start, else 503 with the reasons. Ponder
 * later uses the same port.
 * @returns a function that stops the server
 */
export async function serveStandby(
  settings: StandbySettings,
  { host, port, status }: StandbyListener,
): Promise<() => Promise<void>> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/ready') {
      response.writeHead(404).end('This port serves GET /ready until Ponder runs.')
      return
    }
    const checks = await checkSettings(settings)
    const isReady = Object.values(checks).every(({ status }) => status === 'ok')
    response.writeHead(isReady ? 200 : 503, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify({ status, checks }))
  })
  await new Promise<void>((resolve, reject) => {
    const names = { host: 'INDEXER_HOST', port: 'INDEXER_PORT' }
    server.once('error', (error) => reject(describeListenError(error, names)))
    server.listen(port, host, resolve)
  })
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
}
