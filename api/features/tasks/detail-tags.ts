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

/** The memory for tags with their versions, bytes: some 10,000 details. */
const MAX_BYTES = 32_000_000
/** The most tasks with a cached present version. */
const MAX_CURRENT = 20_000
/** The tasks of one statement. */
const AT_ONCE = 500

/** The entity tags of task details, which show a change without building the detail. */
export interface DetailTags {
  /** Returns the present tag if it is known; null: the detail must be built. */
  find(taskId: Hex): Promise<KnownTag | null>
  /** Stores the tag of a built detail. */
  keep(taskId: Hex, made: MadeDetail): void
}

export interface KnownTag extends Pick<MadeDetail, 'tag' | 'interval'> {
  /** True if every caller may see the task. */
  isForAll: boolean
}

export interface MadeDetail {
  tag: string
  /** The `detailVersion` of its snapshot. */
  version: string
  /** The head times at which it stays equal. */
  interval: TimeWindow
}

interface Current {
  version: string | null
  isForAll: boolean
}

export interface DetailTagsDeps {
  /** The database that decides about access. */
  sql: Database
  publicReads: Pick<PublicReads, 'read' | 'onClose'>
  rowChanges: Pick<RowChanges, 'moment'>
  chain: { head(): Promise<{ timestamp: bigint }> }
}

/**
 * Creates the tags, compared by the version of the rows. Concurrent requests for tasks share two statements, and
 * requests of the same moment share their result.
 */
export function createDetailTags({ sql, publicReads, rowChanges, chain }: DetailTagsDeps): DetailTags {
  const tags = openRowCache<MadeDetail>(publicReads, MAX_BYTES)
  const currents = new LRUCache<Hex, { current: Promise<Current>; moment: RowMoment }>({ max: MAX_CURRENT })
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
  /** Reads tasks together with all others that are requested until the statement begins. */
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
    const cachedVersion = currents.get(taskId)
    if (cachedVersion?.moment === moment) return cachedVersion.current
    const entry = { current: readNext(taskId), moment }
    currents.set(taskId, entry)
    entry.current.catch(() => {
      if (currents.peek(taskId) === entry) currents.delete(taskId)
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
    keep: (taskId, made) => {
      tags.put(taskId, made, made.version.length)
    },
  }
}
