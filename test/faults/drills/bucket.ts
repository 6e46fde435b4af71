import { cpSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { FaultCase, FaultCaseContext } from '../fault-case.ts'
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
    deadlineMs: 180_000,
    run: loseFiles,
  },
]

async function loseFiles(context: FaultCaseContext): Promise<void> {
  const { artifactDirectory, directory } = context.environment
  const [delivery, ...next] = await context.prepare('free', 2)
  if (delivery === undefined) throw new Error('no delivery was prepared')
  expectAll(await performAll(context, [delivery]), 'completed')
  const url = await readFileUrl(context, String(delivery.effect?.args.taskId))
  const expectAnswer = async (expected: number, when: string) => {
    const answer = await fetch(url)
    await answer.arrayBuffer()
    if (answer.status !== expected) throw new Error(`a file was answered ${answer.status} ${when}`)
  }
  await expectAnswer(200, 'before the accident')
  const copy = join(directory, 'files-copy')
  cpSync(artifactDirectory, copy, { recursive: true })
  await practiseUnderLoad(context, {
    // Writes without files go on; files newer than the copy would be lost.
    classes: ['create', 'stake'],
    practise: async () => {
      renameSync(artifactDirectory, join(directory, 'files-lost'))
      await expectAnswer(404, 'without a storage')
      mkdirSync(artifactDirectory)
      await expectAnswer(404, 'by an empty storage')
      expectAll(await performAll(context, next), 'completed')
      cpSync(copy, artifactDirectory, { recursive: true, force: false })
      await expectAnswer(200, 'after the copy was put back')
    },
  })
}

/** The URL of a delivered file, as the requester's list of submissions has it. */
async function readFileUrl(context: FaultCaseContext, taskId: string): Promise<string> {
  const { url, fetch } = await context.reach()
  const rows = (await (await fetch(`${url}/api/tasks/${taskId}/submissions`)).json()) as { fileUrl: string | null }[]
  const [row] = rows
  if (row?.fileUrl == null) throw new Error(`the submissions of ${taskId} are ${JSON.stringify(rows)}`)
  return row.fileUrl
}
