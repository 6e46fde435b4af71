import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { applyLogins } from '../../../scripts/postgres/database-logins.ts'
import { shortLivedDirectory } from '../../../scripts/postgres/memory-directory.ts'
import { startPostgres } from '../../../scripts/postgres/postgres.ts'
import { atServer } from '../../../scripts/postgres/standby-server.ts'
import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { findDumpPrograms, runAt } from '../inject/dump-programs.ts'
import { loseWrites } from '../inject/lost-writes.ts'
import { seconds } from '../inject/outage.ts'
import { completeWrites } from '../inject/write-load.ts'

/**
 * The server is lost, and an empty one gets a dump of the roles and of the database (docs/operate/bad-day/database-gone-back.md). What
 * was written after the dump is lost.
 */
export const faultCases: readonly FaultCase[] = [
  {
    name: 'logical backup: an empty server gets a dump of roles and database',
    topology: 1,
    isOutage: true,
    short: false,
    needsOwnEnvironment: true,
    deadlineMs: 600_000,
    findObstacle: () =>
      findDumpPrograms().then(
        () => null,
        (error: Error) => error.message,
      ),
    run: restoreDump,
  },
]

async function restoreDump(context: FaultCaseContext): Promise<void> {
  const { postgres, databaseUrl, directory } = context.environment
  const programs = await findDumpPrograms()
  const file = join(directory, 'market.dump')
  await completeWrites(context, ['create', 'fee-paid', 'free'])
  await loseWrites(context, async () => {
    const dumpedAt = performance.now()
    const roles = await runAt(join(programs, 'pg_dumpall'), ['--roles-only'], { url: postgres.url })
    await runAt(join(programs, 'pg_dump'), ['--format=custom', `--file=${file}`], { url: databaseUrl })
    context.note(`the dump took ${seconds(performance.now() - dumpedAt)}`)
    return async () => {
      const lostAt = performance.now()
      await postgres.crash()
      const empty = await startPostgres({ dataDir: mkdtempSync(join(shortLivedDirectory(), 'task-market-dump-')) })
      // Its superuser is there, and gets the password that is in the dump.
      const input = roles.replace('CREATE ROLE postgres;', '')
      await runAt(join(programs, 'psql'), ['--quiet', '--set=ON_ERROR_STOP=1'], { url: empty.url, input })
      const url = atServer(postgres.url, empty.url)
      await runAt(join(programs, 'pg_restore'), ['--create', '--exit-on-error', '--dbname=postgres', file], { url })
      await applyLogins(atServer(databaseUrl, empty.url))
      await empty.stop()
      await postgres.replaceData(join(empty.dataDir, 'cluster'))
      rmSync(empty.dataDir, { recursive: true })
      context.note(`an empty server had it after ${seconds(performance.now() - lostAt)}`)
    }
  })
}
