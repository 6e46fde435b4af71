import type pg from 'pg'
import type { Logger } from 'pino'
import { SettingsError } from '../settings/read-settings.ts'
import { describeFailure } from './failure.ts'

/** SQLSTATEs of a login that the server does not let in, and of a database that it does not have. */
const REFUSED_STATES = /^(28|3D)/
/** The schema of MARKET_SCHEMA, as sessions of the pool have it, and whether its views are there. */
const VIEWS = `select current_setting('search_path') as schema, to_regclass('indexed_head') is not null as exists`

/**
 * Tries the login of the reader, as a part of a start, and warns where its schema has no views. A server that gives no answer and an
 * indexer that makes the views are waited for: both may start later.
 * @throws SettingsError where the server refuses the login or has no such database
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
