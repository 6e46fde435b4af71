import type pg from 'pg'
import type { Logger } from 'pino'
import { SettingsError } from '../settings/read-settings.ts'
import { describeFailure } from './failure.ts'

/** SQLSTATEs of a login that the server does not let in, and of a database that it does not have. */
const REFUSED_STATES = /^(28|3D)/

/**
 * Tries the login of the reader, as a part of a start. A server that gives no answer is waited for: the standby may start later.
 * @throws SettingsError where the server refuses the login or has no such database
 */
export async function checkReader(pool: { connect(): Promise<pg.PoolClient> }, log: Logger): Promise<void> {
  try {
    const client = await pool.connect()
    client.release()
  } catch (error) {
    const { message, code = '' } = error as Error & { code?: string }
    const setting = 'READER_DATABASE_URL'
    if (REFUSED_STATES.test(code)) throw new SettingsError([{ setting, problem: message }], { cause: error })
    log.warn({ setting, failure: describeFailure(error) }, 'the database does not answer yet')
  }
}
