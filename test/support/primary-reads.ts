import type { Database } from '../../api/db/client.ts'
import { createPublicReads, type PublicReads } from '../../api/read-model/replicas/public-reads.ts'

/** Reads without replicas. */
export function readsOf(primary: Database): PublicReads {
  return createPublicReads({ primary, replicas: [], count: () => {} })
}
