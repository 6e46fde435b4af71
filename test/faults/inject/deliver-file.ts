import type { FaultCaseContext } from '../fault-case.ts'
import { expectAll, performAll } from './steps.ts'

/** Has a worker deliver a file. @returns its URL, as the requester's list of submissions has it */
export async function deliverFile(context: FaultCaseContext): Promise<string> {
  const [delivery] = await context.prepare('free')
  if (delivery === undefined) throw new Error('no delivery was prepared')
  expectAll(await performAll(context, [delivery]), 'completed')
  const { url, fetch } = await context.reach()
  const path = `/api/tasks/${delivery.effect.args.taskId}/submissions`
  const rows = (await (await fetch(`${url}${path}`)).json()) as { fileUrl: string | null }[]
  const [row] = rows
  if (row?.fileUrl == null) throw new Error(`${path} was answered ${JSON.stringify(rows)}`)
  return row.fileUrl
}

/** Downloads a file. @param when for the message. @throws when the status is another one */
export async function expectFileAnswer(url: string, expected: number, when: string): Promise<void> {
  const answer = await fetch(url)
  await answer.arrayBuffer()
  if (answer.status !== expected) throw new Error(`a file was answered ${answer.status} ${when}`)
}
