import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database, Transaction } from '../client.ts'
import { ANALYTICS_ABOUT, ANALYTICS_VERSION, type AnalyticsView, analyticsViews } from './views.ts'

type StoredView = Omit<AnalyticsView, 'key'> & { query: string; texts: string }

/**
 * Stores the views of the schema `analytics`, and creates the views that changed or are missing. After a switch to
 * another indexer deployment, the stored views are created again. Several processes may call the function at the same
 * time.
 * @returns one sentence for each view that was not created, because the indexer's tables lack a column
 */
export async function makeAnalytics(sql: Database): Promise<string[]> {
  const views = await readViews()
  return await sql.begin(async (tx) => {
    await tx`lock table service.analytics_views in share row exclusive mode`
    const isStored = await storeViews(tx, views)
    if (!isStored && (await isComplete(tx))) return []
    const rows = await tx<{ leftOut: string }[]>`select service.make_analytics() as left_out`
    await describeSchema(tx)
    return rows.map(({ leftOut }) => leftOut)
  })
}

async function readViews(): Promise<StoredView[]> {
  return await Promise.all(
    analyticsViews.map(async (view) => ({
      ...view,
      query: await readFile(join(import.meta.dirname, `${view.name}.sql`), 'utf8'),
      texts: await readFile(join(import.meta.dirname, `${view.name}.json`), 'utf8'),
    })),
  )
}

/**
 * Stores the definitions of the analytics views in `service.analytics_views`.
 * @returns false if the same or newer views are already stored
 */
async function storeViews(tx: Transaction, views: readonly StoredView[]): Promise<boolean> {
  const storedViews = await tx<(StoredView & { version: number })[]>`
    select name, hides_rows, query, texts, version from service.analytics_views order by position`
  const isLater = storedViews.some(({ version }) => version > ANALYTICS_VERSION)
  const rows = views.map(({ name, hidesRows, query, texts }) => ({
    name,
    hidesRows,
    query,
    texts,
    version: ANALYTICS_VERSION,
  }))
  if (isLater || JSON.stringify(storedViews) === JSON.stringify(rows)) return false
  await tx`delete from service.analytics_views`
  await tx`insert into service.analytics_views ${tx(rows.map((row, position) => ({ ...row, position })))}`
  return true
}

async function isComplete(tx: Transaction): Promise<boolean> {
  const missingViews = await tx`
    select from service.analytics_views where to_regclass(format('analytics.%I', name)) is null limit 1`
  return missingViews.length === 0
}

/** Sets the comment of the schema `analytics`, if the database login owns the schema. */
async function describeSchema(tx: Transaction): Promise<void> {
  const [row] = await tx<{ statement: string }[]>`
    select format('comment on schema analytics is %L', ${ANALYTICS_ABOUT}::text) as statement
    from pg_namespace where nspname = 'analytics' and pg_has_role(nspowner, 'USAGE')`
  if (row !== undefined) await tx.unsafe(row.statement)
}
