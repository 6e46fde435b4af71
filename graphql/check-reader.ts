import type pg from 'pg'
import type { Logger } from 'pino'
import { SettingsError } from '../settings/read-settings.ts'
import { describeFailure } from './failure.ts'

/** SQLSTATEs of a refused login and of a missing database. */
const REFUSED_STATES = /^(28|3D)/
/** Selects the schema of MARKET_SCHEMA, as sessions of the pool see it, and the existence of its views. */
const VIEWS = `select current_setting('search_path') as schema, to_regclass('indexed_head') is not null as exists`

/**
 * Tests the login of the reader at start, and warns if its schema has no views. It does not require a reachable server or
 * the indexer's views: both may start later.
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
