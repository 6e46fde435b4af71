import { makeAnalytics } from '../../../api/db/analytics/make-analytics.ts'
import { connectDatabase } from '../../../api/db/client.ts'
import { migrate } from '../../../api/db/migrate.ts'

/** Makes the tables of the service as its start does: the views of `analytics` follow with those of `market`. */
export async function makeServiceTables(url: string): Promise<void> {
  const sql = connectDatabase({ url, max: 1 })
  try {
    await migrate(sql)
    await makeAnalytics(sql)
  } finally {
    await sql.end()
  }
}
