import { mapWithLimit } from '../concurrency/map-with-limit.ts'
import type { ArtifactDeps } from './artifact-deps.ts'
import { deleteUnusedCharges } from './byte-charges.queries.ts'
import {
  type Area,
  claimFilesOfFailedWrites,
  claimUnboundFiles,
  claimUploads,
  type FilePage,
  listFilesToDelete,
  listFilesToPurge,
  purgeFiles,
  type RetentionRun,
  recordDeleted,
} from './retention.queries.ts'

const BATCH_SIZE = 200
/** The number of objects that are deleted at the same time. */
const CONCURRENCY = 8
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

const areas: readonly Area[] = ['uploads', 'artifacts']
const claims = { claimUploads, claimUnboundFiles, claimFilesOfFailedWrites, deleteUnusedCharges }

/**
 * Deletes the files that no write needs, in one pass. The pass claims the rows of unused files and deletes their bytes.
 * A later pass deletes the bytes again, and then the rows. Any number of processes may run passes. A failed file is
 * tried again in the next pass.
 */
export async function enforceRetention(deps: ArtifactDeps, stopping: AbortSignal): Promise<number> {
  const sweep = { retentionSeconds: deps.config.FILE_RETENTION_SECONDS, limit: BATCH_SIZE }
  let claimedCount = 0
  for (const [name, take] of Object.entries(claims)) {
    try {
      claimedCount += await claimAll(() => take(deps.sql, sweep), stopping)
    } catch (error) {
      deps.log.warn({ err: error, part: name }, 'file retention scan failed')
    }
  }
  if (claimedCount > 0) deps.reach('after-take')
  for (const area of areas) {
    await deleteBytes(deps, area, stopping)
    await purgeArea(deps, { area, sweeping: sweep }, stopping)
  }
  return deps.config.FILE_SWEEP_MS
}

async function claimAll(take: () => Promise<number>, stopping: AbortSignal): Promise<number> {
  let total = 0
  for (let count = -1; count !== 0 && !stopping.aborted; total += count) count = await take()
  return total
}

async function deleteBytes(deps: ArtifactDeps, area: Area, stopping: AbortSignal): Promise<void> {
  const list = (page: FilePage) => listFilesToDelete(deps.sql, area, page)
  for await (const ids of eachPage(list, stopping)) {
    const purgedIds = await removeAll(deps, { area, ids }, stopping)
    deps.reach('after-empty')
    await recordDeleted(deps.sql, area, purgedIds)
    if (purgedIds.length > 0) deps.log.info({ area, count: purgedIds.length }, 'unused files purged')
  }
}

async function purgeArea(
  deps: ArtifactDeps,
  { area, sweeping }: { area: Area; sweeping: RetentionRun },
  stopping: AbortSignal,
): Promise<void> {
  const list = (page: FilePage) => listFilesToPurge(deps.sql, area, { ...sweeping, ...page })
  for await (const ids of eachPage(list, stopping)) {
    const deletedIds = await removeAll(deps, { area, ids }, stopping)
    deps.reach('before-forget')
    await purgeFiles(deps.sql, area, deletedIds)
  }
}

/**
 * Yields the file ids that `list` returns, page by page, in ascending order. Each page starts after the last id of the
 * page before. If the caller cannot delete a file, the following files are therefore still reached.
 */
async function* eachPage(
  list: (page: FilePage) => Promise<string[]>,
  stopping: AbortSignal,
): AsyncGenerator<readonly string[]> {
  let after: string | undefined = BEFORE_ALL
  while (after !== undefined && !stopping.aborted) {
    const ids: string[] = await list({ after, limit: BATCH_SIZE })
    if (ids.length > 0) yield ids
    after = ids.at(-1)
  }
}

/**
 * Deletes objects from storage.
 * @returns the ids of the deleted objects
 */
async function removeAll(
  { storage, log }: ArtifactDeps,
  { area, ids }: { area: Area; ids: readonly string[] },
  stopping: AbortSignal,
): Promise<string[]> {
  const removedIds: string[] = []
  const failures: unknown[] = []
  await mapWithLimit(CONCURRENCY, ids, async (id) => {
    if (stopping.aborted) return
    try {
      await storage.remove({ area, id })
      removedIds.push(id)
    } catch (error) {
      failures.push(error)
    }
  })
  const [err] = failures
  if (err !== undefined) log.warn({ err, area, count: failures.length }, 'file deletion failed')
  return removedIds
}
