import { Refused } from '../writes/write-spec.ts'
import { listRows, ReadError, type RowOf } from './pages.ts'

export type SubmissionRow = RowOf<'/api/tasks/{taskId}/submissions'>

/** What was handed in to a task, as far as the wallet may see it, in the order in which it was committed. @throws Refused */
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
