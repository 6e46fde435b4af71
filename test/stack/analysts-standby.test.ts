import { afterAll, beforeAll, expect, test } from 'vitest'
import { findFreePort } from '../../ops/process/ports.ts'
import { findServerPid } from '../../ops/standby/server-process.ts'
import { loginUrl, openLogins } from '../../scripts/postgres/database-logins.ts'
import { type PostgresServer, startPostgres } from '../../scripts/postgres/postgres.ts'
import { withConnection } from '../../scripts/postgres/postgres-databases.ts'
import { type AnalystsStandby, startAnalystsStandby } from '../../scripts/stack/analysts-standby.ts'
import { createCleanups } from '../support/cleanups.ts'
import { deepTest } from '../support/deep-test.ts'

const cleanups = createCleanups()
const lines: string[] = []
let primary: PostgresServer
let standby: AnalystsStandby
let url: string

beforeAll(async () => {
  primary = await startPostgres({ streams: true, inMemory: true })
  cleanups.defer(primary.stop)
  url = await primary.createDatabase('market')
  await openLogins(url, { isOwnServer: true })
  standby = await startAnalystsStandby({
    metricsPort: 0,
    primaryUrl: url,
    dataDir: primary.dataDir,
    port: await findFreePort(),
    log: (line) => lines.push(line),
    isWanted: () => true,
  })
  cleanups.defer(standby.stop)
})
afterAll(() => cleanups.run())

/** What the analysts' login reads at the standby; null while it does not answer. */
async function answer(): Promise<unknown> {
  try {
    return await withConnection(
      standby.at(loginUrl(url, 'market_analyst')),
      async (sql) => [...(await sql`SELECT obj_description('market'::regnamespace, 'pg_namespace') AS comment`)],
      { fetch_types: false },
    )
  } catch {
    return null
  }
}

/** Writes at the primary what `answer` reads once it is replayed. */
async function write(comment: string): Promise<void> {
  await withConnection(url, (sql) => sql.unsafe(`COMMENT ON SCHEMA market IS '${comment}'`))
}

test('given the whole standby is killed, then it is started again, and follows its primary', async () => {
  await write('before')
  await expect.poll(answer).toEqual([{ comment: 'before' }])
  process.kill(findServerPid(`${primary.dataDir}/standby/cluster`) ?? 0, 'SIGKILL')
  await write('after')
  await expect.poll(answer).toEqual([{ comment: 'after' }])
  expect(lines).toContain('ended with signal SIGKILL')
})

deepTest('given it receives nothing from its primary any more, then it is copied again', async () => {
  await withConnection(standby.at(url), async (sql) => {
    await sql`ALTER SYSTEM SET primary_conninfo = 'host=127.0.0.1 port=1 user=market_replica'`
    await sql`SELECT pg_reload_conf()`
  })
  await expect.poll(() => lines).toContain('the standby does not receive the log of its primary')
  await write('seen')
  await expect.poll(answer).toEqual([{ comment: 'seen' }])
  expect(lines).toContain('copied from the primary and started again')
})
