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

/** Memory of tags with the versions that they are of, bytes: some 10,000 details. */
const MAX_BYTES = 32_000_000
/** Tasks whose versions of now are kept. */
const MAX_CURRENT = 20_000
/** Tasks of one statement. */
const AT_ONCE = 500

/** The entity tags of details of tasks, which tell whether a detail is another without making it. */
export interface DetailTags {
  /** The tag of the detail now, where it is known without making it; null: it is to be made. */
  find(taskId: Hex): Promise<KnownTag | null>
  /** Keeps the tag of a detail that was made. */
  keep(taskId: Hex, made: MadeDetail): void
}

export interface KnownTag extends Pick<MadeDetail, 'tag' | 'interval'> {
  /** Every caller may see the task. */
  isForAll: boolean
}

export interface MadeDetail {
  tag: string
  /** `detailVersion` of the snapshot that it was made of. */
  version: string
  /** The times of the head at which it is the same. */
  interval: TimeWindow
}

interface Current {
  version: string | null
  isForAll: boolean
}

export interface DetailTagsDeps {
  /** Decides who may see a task. */
  sql: Database
  publicReads: Pick<PublicReads, 'read' | 'onClose'>
  rowChanges: Pick<RowChanges, 'moment'>
  chain: { head(): Promise<{ timestamp: bigint }> }
}

/**
 * Compares a detail by the version of its rows. All who ask for tasks at once share two statements, and those who ask in the same
 * moment share their result.
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
  /** Reads tasks with all others that are asked for until the statement begins. */
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
    // Before the read: a change that is heard of while it runs may be missing in it.
    const moment = rowChanges.moment('rows')
    const known = currents.get(taskId)
    if (known?.moment === moment) return known.current
    const entry = { current: readNext(taskId), moment }
    currents.set(taskId, entry)
    entry.current.catch(() => {
      if (currents.peek(taskId) === entry) currents.delete(taskId)
    })
    return entry.current
  }

  return {
    find: async (taskId) => {
      const made = tags.find(taskId)
      if (made === undefined) return null
      const [{ version, isForAll }, { timestamp }] = await Promise.all([readCurrent(taskId), chain.head()])
      const { tag, interval } = made
      return version === made.version && isWithin(interval, timestamp) ? { tag, interval, isForAll } : null
    },
    keep: (taskId, made) => {
      tags.put(taskId, made, made.version.length)
    },
  }
}
