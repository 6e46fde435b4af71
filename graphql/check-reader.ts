import type pg from 'pg'
import type { Logger } from 'pino'
import { SettingsError } from '../settings/read-settings.ts'
import { describeFailure } from './failure.ts'

/** PostgreSQL error codes (SQLSTATE) for a refused login and for a missing database. */
const REFUSED_STATES = /^(28|3D)/
/**
 * Selects two facts about a session of the pool: its search path, which is the schema MARKET_SCHEMA, and whether this
 * schema contains the indexer's views.
 */
const VIEWS = `select current_setting('search_path') as schema, to_regclass('indexed_head') is not null as exists`

/**
 * Tests the database login at the start of the process. If the server is not reachable or the schema has no views yet,
 * the function only logs a warning, because the server and the indexer may start later.
 * @throws SettingsError if the server refuses the login or has no such database
 */
export async function checkReader(pool: Pick<pg.Pool, 'query'>, log: Logger): Promise<void> {
  try {
    const { rows } = await pool.query<{ schema: string; exists: boolean }>(VIEWS)
    for (const { schema, exists } of rows) {
      if (!exists)
        log.warn({ setting: 'MARKET_SCHEMA', schema }, 'the database has no views of the indexer in this schema yet')
    }
  } catch (error) {
    const { message, code = '' } = error as Error & { code?: string }
    const setting = 'READER_DATABASE_URL'
    if (REFUSED_STATES.test(code)) throw new SettingsError([{ setting, problem: message }], { cause: error })
    log.warn({ setting, failure: describeFailure(error) }, 'the database does not answer yet')
  }
}
