import { connectDatabase, type Database } from '../../../api/db/client.ts'
import { makeStored } from '../../../api/features/tasks/list/store-fragments.ts'
import { openTaskFragments } from '../../../api/features/tasks/list/task-fragments.ts'
import { digestView } from '../../../api/features/tasks/list/view-digest.ts'
import { table } from '../../../settings/table.ts'
import { NOW } from './rows.ts'

/** Tasks of one transaction, as the service has them. */
const BATCH_SIZE = 250

/** The fragments of listed tasks that pages find stored (`service.task_fragments`). */
export interface StoredFragments {
  /** Goes on as if no page had ever been rendered; what it returns ends that. */
  forget(): () => Promise<void>
}

/** Stores all listed tasks, as if each had been on a page once. */
export async function storeListedTasks(databaseUrl: string, sql: Database): Promise<StoredFragments> {
  const config = { SERVICE_NAME: table.SERVICE_NAME.default }
  const digest = await digestView(config)
  const chain = { head: async () => ({ number: 0n, timestamp: BigInt(NOW) }) }
  const storeAll = async (ids: readonly { id: `0x${string}` }[]) => {
    const stored = connectDatabase({ url: databaseUrl, max: 1 })
    const taskFragments = openTaskFragments({ onClose: () => {} }, { digest })
    try {
      for (let at = 0; at < ids.length; at += BATCH_SIZE) {
        const batch = ids.slice(at, at + BATCH_SIZE).map(({ id }) => id)
        await makeStored({ sql: stored, config, taskFragments, chain }, batch)
      }
    } finally {
      await stored.end()
    }
  }
  await storeAll(await sql`select id from task where listed order by created_at_ms`)
  await sql`vacuum analyze service.task_fragments`
  return {
    // Corrections of texts are counted, and another count makes all fragments other ones.
    forget: () => {
      const begun = sql`update service.content_changes set count = count + 1`.execute()
      return async () => {
        await begun
        await sql`update service.content_changes set count = count - 1`
        // The service has stored some of them meanwhile.
        await storeAll(
          await sql`
          select task_id as id from service.task_fragments, service.content_changes
          where not shared like ${'%,'} || count || ${')'}`,
        )
      }
    },
  }
}
