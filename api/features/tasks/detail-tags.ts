import { setImmediate } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Hex } from 'viem'
import type { Database } from '../../db/client.ts'
import type { TimeWindow } from '../../domain/actions/action-rule.ts'
import { isWithin } from '../../domain/view-interval.ts'
import { scopeOf } from '../../domain/visibility.ts'
import type { PublicReads } from '../../read-model/replicas/public-reads.ts'
import { openRowCache } from '../../read-model/row-cache.ts'
import type { RowChanges, RowMoment } from '../../read-model/row-changes.ts'
import { listTaskAccess } from '../../read-model/task-visibility.queries.ts'
import { listDetailVersions } from './detail-version.queries.ts'

/** The memory in bytes for cached entity tags with their versions. It suffices for about 10,000 task details. */
const MAX_BYTES = 32_000_000
/** The largest number of tasks of which the present version is cached. */
const MAX_CURRENT = 20_000
/** The largest number of tasks that one statement reads. */
const AT_ONCE = 500

/**
 * A cache of the entity tags of task details. A caller can compare the cached tag without reading and building the
 * detail.
 */
export interface DetailTags {
  /**
   * Returns the present entity tag of a task's detail. If the tag is not known, returns null, and the detail must be
   * built.
   */
  find(taskId: Hex): Promise<KnownTag | null>
  /** Caches the entity tag of a task detail that has been built. */
  keep(taskId: Hex, detail: MadeDetail): void
}

export interface KnownTag extends Pick<MadeDetail, 'tag' | 'interval'> {
  /** True if every caller may see the task. */
  isForAll: boolean
}

export interface MadeDetail {
  tag: string
  /** The version (`detailVersion`) of the database rows from which the detail was built. */
  version: string
  /** The range of block times in which the detail remains valid if the rows do not change. */
  interval: TimeWindow
}

interface Current {
  version: string | null
  isForAll: boolean
}

export interface DetailTagsDeps {
  /** The database that decides who may see a task. */
  sql: Database
  publicReads: Pick<PublicReads, 'read' | 'onClose'>
  rowChanges: Pick<RowChanges, 'moment'>
  chain: { head(): Promise<{ timestamp: bigint }> }
}

/**
 * Creates the cache of entity tags. A cached tag is valid while the version of the task's rows is unchanged. If several
 * requests arrive at the same time, two SQL statements read the visibility and the versions of all requested tasks.
 */
export function createDetailTags({ sql, publicReads, rowChanges, chain }: DetailTagsDeps): DetailTags {
  const tags = openRowCache<MadeDetail>(publicReads, MAX_BYTES)
  const currentVersions = new LRUCache<Hex, { current: Promise<Current>; moment: RowMoment }>({ max: MAX_CURRENT })
  let next: { ids: Set<Hex>; all: Promise<Map<Hex, Current>> } | null = null

  const readAll = async (ids: readonly Hex[]): Promise<Map<Hex, Current>> => {
    const [access, versions] = await Promise.all([
      listTaskAccess(sql, ids),
      publicReads.read(async (server) => {
        const { versions: value, position } = await listDetailVersions(server.byKey, ids)
        return { value, position }
      }),
    ])
    return new Map(
      ids.map((id) => {
        const task = access.get(id)
        const isForAll = task !== undefined && scopeOf('task', task, { address: null, holdsGrant: false }) !== null
        return [id, { version: versions.get(id) ?? null, isForAll }]
      }),
    )
  }
  /** Reads the version and visibility of a task. Tasks that are requested at the same time are read in one batch. */
  const readNext = async (taskId: Hex): Promise<Current> => {
    if (next === null || next.ids.size >= AT_ONCE) {
      const ids = new Set<Hex>()
      const all = setImmediate().then(() => {
        if (next?.ids === ids) next = null
        return readAll([...ids])
      })
      next = { ids, all }
    }
    next.ids.add(taskId)
    return (await next.all).get(taskId) ?? { version: null, isForAll: false }
  }
  const readCurrent = (taskId: Hex): Promise<Current> => {
    // Taken before the read, because a change notified during it may be missing in it.
    const moment = rowChanges.moment('rows')
    const cachedVersion = currentVersions.get(taskId)
    if (cachedVersion?.moment === moment) return cachedVersion.current
    const entry = { current: readNext(taskId), moment }
    currentVersions.set(taskId, entry)
    entry.current.catch(() => {
      if (currentVersions.peek(taskId) === entry) currentVersions.delete(taskId)
    })
    return entry.current
  }

  return {
    find: async (taskId) => {
      const cachedDetail = tags.find(taskId)
      if (cachedDetail === undefined) return null
      const [{ version, isForAll }, { timestamp }] = await Promise.all([readCurrent(taskId), chain.head()])
      const { tag, interval } = cachedDetail
      return version === cachedDetail.version && isWithin(interval, timestamp) ? { tag, interval, isForAll } : null
    },
    keep: (taskId, detail) => {
      tags.put(taskId, detail, detail.version.length)
    },
  }
}
