import { createAnalytics } from '../../api/analytics/analytics.ts'
import { type DatabaseLogins, openLogins } from '../../scripts/postgres/database-logins.ts'
import type { TestApi } from './api.ts'

/** Gives the database of a service on rows its three logins, and the service its reader. */
export async function openReader(api: TestApi): Promise<DatabaseLogins & { readerUrl: string }> {
  const { deps } = api
  const logins = await openLogins(deps.config.DATABASE_URL, { isOwnServer: true })
  const { readerUrl } = logins
  if (readerUrl === null) throw new Error('the test server gives out its logins')
  await deps.analytics.stop()
  const { MARKET_SCHEMA: schema, SQL_QUERY_MS: deadlineMs } = deps.config
  deps.analytics = createAnalytics({ readerUrl, schema, deadlineMs })
  return { ...logins, readerUrl }
}
