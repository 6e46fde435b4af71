import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { deliverFile, expectFileAnswer } from '../inject/deliver-file.ts'
import { loseWrites } from '../inject/lost-writes.ts'
import { seconds } from '../inject/outage.ts'
import { completeWrites } from '../inject/write-load.ts'

/**
 * A backup of the data directory and an archive of the log bring the database to a point in time, and a copy that is younger brings
 * the files. What was written after the point is lost: docs/internals/failure-modes.md, "The service's tables go back", says what becomes of it.
 */
export const faultCases: readonly FaultCase[] = [
  {
    name: 'the database is restored to a point in time, with the files',
    topology: 1,
    isOutage: true,
    short: false,
    needsOwnEnvironment: true,
    deadlineMs: 600_000,
    run: restore,
  },
]

async function restore(context: FaultCaseContext): Promise<void> {
  const { postgres, sql, artifactDirectory, directory } = context.environment
  const archive = await postgres.archive()
  const backup = await postgres.copyData('none')
  // These are in the archive alone.
  const url = await deliverFile(context)
  await completeWrites(context, ['create', 'fee-paid', 'free'])
  await loseWrites(context, async () => {
    const [point] = await sql<{ until: string }[]>`SELECT clock_timestamp()::text AS until`
    const files = join(directory, 'files-copy')
    cpSync(artifactDirectory, files, { recursive: true })
    return async () => {
      await postgres.archived()
      const startedAt = performance.now()
      rmSync(artifactDirectory, { recursive: true })
      await postgres.restoreTo(backup, { archive, until: point?.until ?? '' })
      cpSync(files, artifactDirectory, { recursive: true })
      context.note(`server and files were at their point in time after ${seconds(performance.now() - startedAt)}`)
    }
  })
  await expectFileAnswer(url, 200, 'after the restore')
  context.note('no file was lost')
}
