import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { loseWrites } from '../inject/lost-writes.ts'
import { seconds } from '../inject/outage.ts'
import { startWriteLoad } from '../inject/write-load.ts'

/** Writes between the backup and the point in time: they are in the archive alone. */
const WRITES = 10

/**
 * A backup of the data directory and an archive of the log bring the database to a point in time, and what was written after it is
 * lost: docs/failure-modes.md, "The service's tables go back", says what becomes of that.
 */
export const faultCases: readonly FaultCase[] = [
  {
    name: 'the database is restored to a point in time',
    topology: 1,
    isOutage: true,
    short: false,
    needsOwnEnvironment: true,
    deadlineMs: 300_000,
    run: restore,
  },
]

async function restore(context: FaultCaseContext): Promise<void> {
  const { postgres, sql } = context.environment
  const archive = await postgres.archive()
  const backup = await postgres.copyData('none')
  const load = startWriteLoad(context, ['create', 'fee-paid', 'free'])
  await context.until('writes after the backup', () => load.completions.length >= WRITES, 120_000)
  await load.stop()
  await context.quiesce()
  await loseWrites(context, async () => {
    const [point] = await sql<{ until: string }[]>`SELECT clock_timestamp()::text AS until`
    return async () => {
      await postgres.archived()
      const startedAt = performance.now()
      await postgres.restoreTo(backup, { archive, until: point?.until ?? '' })
      context.note(`the server was at its point in time after ${seconds(performance.now() - startedAt)}`)
    }
  })
}
