import { Refused } from '../writes/write-spec.ts'
import { listRows, ReadError, type RowOf } from './pages.ts'

export type SubmissionRow = RowOf<'/api/tasks/{taskId}/submissions'>

/**
 * Reads those submissions to the task that the wallet may read, in the order in which they were recorded on the chain.
 * @throws Refused when the submissions cannot be read
 */
export async function readSubmissions(
  context: Parameters<typeof listRows>[0],
  taskId: string,
): Promise<SubmissionRow[]> {
  const rows: SubmissionRow[] = []
  try {
    for await (const row of listRows(context, '/api/tasks/{taskId}/submissions', { path: { taskId } })) rows.push(row)
  } catch (error) {
    if (!(error instanceof ReadError)) throw error
    throw new Refused('task_unreadable', `The submissions of the task cannot be read: ${error.message}`)
  }
  return rows
}
