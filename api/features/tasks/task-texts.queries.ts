import type { Hex } from 'viem'
import type { TaskTexts } from '../../../protocol/documents/task-document.ts'
import type { Queryable } from '../../db/client.ts'
import { createdContent } from '../../read-model/task-access.ts'

/**
 * Returns the present texts of a task. An update of the task can change the texts. Returns null if the service has no
 * content of the task. If an update by a direct call of the contract has replaced the content, the service does not
 * know the new content. The result then contains only the two visibilities (of the task and of its submissions) that
 * were chosen when the task was created; all other texts are empty or null.
 */
export async function findTaskTexts(sql: Queryable, taskId: Hex): Promise<TaskTexts | null> {
  const rows = await sql<TaskTexts[]>`
    select coalesce(c.description, '') as description, coalesce(c.tags, '{}') as tags,
      coalesce(created.task_visibility, 'unlisted') as task_visibility,
      coalesce(created.submission_visibility, 'public') as submission_visibility,
      c.metric_description, c.metric_target
    from task t
    left join service.task_content c on c.requester = t.requester and c.content_hash = t.content_hash
    ${createdContent(sql)}
    where t.id = ${taskId} and (c.requester is not null or created.requester is not null)`
  return rows[0] ?? null
}
