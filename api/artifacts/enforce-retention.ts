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
/** Objects removed at the same time. */
const CONCURRENCY = 8
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

const areas: readonly Area[] = ['uploads', 'artifacts']
const claims = { claimUploads, claimUnboundFiles, claimFilesOfFailedWrites, deleteUnusedCharges }

/**
 * One retention run: rows of files without a use are claimed, then their bytes deleted, then, a retention later, the
 * bytes once more and the rows. What is taken stays taken and removing twice is no harm, so any number of processes may
 * sweep, and one that was frozen goes on with what it believes. What fails is logged and tried again by the next sweep,
 * and keeps no other file from going.
 */
export async function enforceRetention(deps: ArtifactDeps, stopping: AbortSignal): Promise<number> {
  const sweeping = { retentionSeconds: deps.config.FILE_RETENTION_SECONDS, limit: BATCH_SIZE }
  let taken = 0
  for (const [name, take] of Object.entries(claims)) {
    try {
      taken += await claimAll(() => take(deps.sql, sweeping), stopping)
    } catch (error) {
      deps.log.warn({ err: error, part: name }, 'files could not be looked for now')
    }
  }
  if (taken > 0) deps.reach('after-take')
  for (const area of areas) {
    await deleteBytes(deps, area, stopping)
    await purgeArea(deps, { area, sweeping }, stopping)
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
    const gone = await removeAll(deps, { area, ids }, stopping)
    deps.reach('after-empty')
    await recordDeleted(deps.sql, area, gone)
    if (gone.length > 0) deps.log.info({ area, count: gone.length }, 'files without a use were purged')
  }
}

async function purgeArea(
  deps: ArtifactDeps,
  { area, sweeping }: { area: Area; sweeping: RetentionRun },
  stopping: AbortSignal,
): Promise<void> {
  const list = (page: FilePage) => listFilesToPurge(deps.sql, area, { ...sweeping, ...page })
  for await (const ids of eachPage(list, stopping)) {
    const gone = await removeAll(deps, { area, ids }, stopping)
    deps.reach('before-forget')
    await purgeFiles(deps.sql, area, gone)
  }
}

/** By id, so that one that stays does not keep those behind it waiting. */
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

/** @returns those that are gone */
async function removeAll(
  { storage, log }: ArtifactDeps,
  { area, ids }: { area: Area; ids: readonly string[] },
  stopping: AbortSignal,
): Promise<string[]> {
  const gone: string[] = []
  const failures: unknown[] = []
  await mapWithLimit(CONCURRENCY, ids, async (id) => {
    if (stopping.aborted) return
    try {
      await storage.remove({ area, id })
      gone.push(id)
    } catch (error) {
      failures.push(error)
    }
  })
  const [err] = failures
  if (err !== undefined) log.warn({ err, area, count: failures.length }, 'files could not be removed now')
  return gone
}
