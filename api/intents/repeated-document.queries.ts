import { isUniqueViolation, type Queryable } from '../db/client.ts'
import type { ContentRows } from './content.ts'

type Documents = Pick<ContentRows, 'task' | 'submission' | 'feedback'>

/** The primary keys that a second write with the same document violates. */
const documentKeys = ['task_content_pkey', 'submission_content_pkey', 'feedback_content_pkey']

/** Returns true if an earlier write of the same account has the same document. */
export async function isDocumentRepeated(sql: Queryable, { task, submission, feedback }: Documents): Promise<boolean> {
  if (task) {
    const rows = await sql`
      select from task_content where requester = ${task.requester} and content_hash = ${task.contentHash}`
    return rows.length > 0
  }
  if (submission) {
    const { taskId, worker, deliverable } = submission
    const rows = await sql`
      select from submission_content
      where task_id = ${taskId} and worker = ${worker} and deliverable = ${deliverable}`
    return rows.length > 0
  }
  if (feedback) {
    const { taskId, worker, feedbackHash } = feedback
    const rows = await sql`
      select from feedback_content
      where task_id = ${taskId} and worker = ${worker} and feedback_hash = ${feedbackHash}`
    return rows.length > 0
  }
  return false
}

/** Returns true if a bind failed because a concurrent bind stored the same document. */
export function isDocumentViolation(error: unknown): boolean {
  return documentKeys.some((key) => isUniqueViolation(error, key))
}
