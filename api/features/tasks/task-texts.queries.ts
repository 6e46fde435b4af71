import type { Address, Hex } from 'viem'
import type { Queryable } from '../../db/client.ts'
import type { TaskTexts } from '../../domain/documents/task-document.ts'

/** The texts behind a task's content hash; null when the hash came by a direct chain call. */
export async function findTaskTexts(
  sql: Queryable,
  { requester, contentHash }: { requester: Address; contentHash: Hex },
): Promise<TaskTexts | null> {
  const rows = await sql<TaskTexts[]>`
    select description, tags, task_visibility, submission_visibility, metric_description, metric_target
    from service.task_content
    where requester = ${requester} and content_hash = ${contentHash}`
  return rows[0] ?? null
}
