import type { Database } from '../../../api/db/client.ts'
import type { Deps } from '../../../api/deps.ts'
import { createDetailTags } from '../../../api/features/tasks/detail-tags.ts'
import { createPublicReads, type PublicReads } from '../../../api/read-model/replicas/public-reads.ts'

/** Reads without replicas. */
export function readsOf(primary: Database): PublicReads {
  return createPublicReads({ primary, replicas: [], count: () => {} })
}

/** The same service on another pool, whatever it reads. */
export function onDatabase(deps: Deps, sql: Database): Deps {
  const publicReads = readsOf(sql)
  return { ...deps, sql, publicReads, detailTags: createDetailTags({ ...deps, sql, publicReads }) }
}
