import { cpSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
import { deliverFile, expectFileAnswer } from '../inject/deliver-file.ts'
import { practiseUnderLoad } from '../inject/outage.ts'
import { expectAll, performAll } from '../inject/steps.ts'

/**
 * The storage of files is lost: an empty one takes its place, and gets the files of a copy while the service runs
 * (docs/operate/bad-day/bucket-lost.md).
 */
export const faultCases: readonly FaultCase[] = [
  {
    name: 'the files are lost: an empty storage takes their place, and gets the copy',
    topology: 1,
    isOutage: true,
    short: false,
    needsOwnEnvironment: true,
    deadlineMs: 600_000,
    run: loseFiles,
  },
]

async function loseFiles(context: FaultCaseContext): Promise<void> {
  const { artifactDirectory, directory } = context.environment
  const url = await deliverFile(context)
  const next = await context.prepare('free')
  await expectFileAnswer(url, 200, 'before the accident')
  const copy = join(directory, 'files-copy')
  cpSync(artifactDirectory, copy, { recursive: true })
  await practiseUnderLoad(context, {
    // Writes without files go on; files newer than the copy would be lost.
    classes: ['create', 'stake'],
    practise: async () => {
      renameSync(artifactDirectory, join(directory, 'files-lost'))
      await expectFileAnswer(url, 404, 'without a storage')
      mkdirSync(artifactDirectory)
      await expectFileAnswer(url, 404, 'by an empty storage')
      expectAll(await performAll(context, next), 'completed')
      cpSync(copy, artifactDirectory, { recursive: true, force: false })
      await expectFileAnswer(url, 200, 'after the copy was put back')
    },
  })
}
