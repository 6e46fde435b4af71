import { hash } from 'node:crypto'
import type { Hex } from 'viem'
import type { TimeWindow } from '../../../domain/actions/action-rule.ts'
import { isWithin, viewIntervalAt } from '../../../domain/view-interval.ts'
import { joinBytes } from '../../../http/join-bytes.ts'
import type { PublicReads } from '../../../read-model/replicas/public-reads.ts'
import { openRowCache } from '../../../read-model/row-cache.ts'
import { toSnapshot } from '../../../read-model/task-snapshot.queries.ts'
import { toJsonText } from '../../../text/json-text.ts'
import type { TaskRow } from '../task-row.ts'
import { type TaskView, toTasks } from '../tasks.mapper.ts'
import type { StoredFragment } from './stored-fragments.queries.ts'

/** A listed task as JSON. It has only what every caller may read. */
export interface TaskFragment {
  bytes: Buffer
  /** The hash of the bytes. The entity tags of pages are made of these hashes. */
  hash: string
}

/** A fragment with the range of block times in which it is valid. */
interface MadeFragment extends TaskFragment {
  interval: TimeWindow
}

/**
 * A cached fragment. The fragment is valid while the task has the version `version` and the block time is within
 * `interval`.
 */
interface Kept extends MadeFragment {
  /** The version of the task (`taskVersion`), from the statement that read the task's row. */
  version: string
}

/** The memory of the cache in bytes. It suffices for about 15,000 tasks with short texts. */
const MAX_BYTES = 64 * 1024 * 1024
/**
 * The largest number of tasks whose fragments wait to be stored in the database. If so many tasks wait, a newly built
 * fragment is not stored. It can be stored when a later page builds it again.
 */
const MAX_WAITING = 10_000
/**
 * The shortest time in seconds for which a fragment must still be valid to be stored in the database. If the price of
 * an auction changes with the time, for example, the JSON of the task changes too soon.
 */
const MIN_STORED_SECONDS = 600n
/** The largest size in bytes of a fragment that is stored in the database. */
const MAX_STORED_BYTES = 64 * 1024

/** A cache of listed tasks as JSON, in memory. */
export interface TaskFragments {
  /**
   * Returns the cached fragment of a task in a version, if the fragment is valid at `now`. Else returns undefined, and
   * the fragment must be built.
   */
  find(id: Hex, version: FragmentVersion, now: bigint): TaskFragment | undefined
  /**
   * Builds the fragment of a task from the task's row. If the service has the texts of the task, also caches the
   * fragment. `find` then finds the fragment by the `version` of the row and by `sharedText`, the `sharedVersion`.
   */
  make(row: TaskRow, sharedText: string, view: TaskView): TaskFragment
  /**
   * Caches a fragment that was read from the database. `find` then finds it by the task's version and by `sharedText`, a
   * text that changes when data changes that the answers about all tasks depend on (see `sharedVersion`).
   */
  keepStored(fragment: StoredFragment, sharedText: string): TaskFragment
  /** Removes and returns the ids of at most `limit` tasks whose built fragments wait to be stored in the database. */
  takeMade(limit: number): Hex[]
  /** The `digestView` of this process. This process uses only stored fragments with an equal digest. */
  digest: string
}

export interface FragmentVersion {
  version: string
  shared: string
}

/** Creates the cache of fragments. A lost connection of `reads` empties the cache. */
export function openTaskFragments(
  reads: Pick<PublicReads, 'onClose'>,
  { digest, maxBytes = MAX_BYTES }: { digest: string; maxBytes?: number },
): TaskFragments {
  // Each server has a shared text of its own: fragments of one must not push out those of another.
  const keptFragments = openRowCache<Kept>(reads, maxBytes)
  const waitingIds = new Set<Hex>()
  const keep = (id: Hex, sharedText: string, fragment: Kept): TaskFragment => {
    keptFragments.put(keyOf(id, sharedText), fragment, fragment.bytes.length + 2 * fragment.version.length)
    return fragment
  }
  return {
    digest,
    find: (id, { version, shared }, now) => {
      const fragment = keptFragments.find(keyOf(id, shared))
      const isGood = fragment !== undefined && fragment.version === version && isWithin(fragment.interval, now)
      return isGood ? fragment : undefined
    },
    make: (row, sharedText, view) => {
      const fragment = { ...makeFragment(row, view), version: row.version }
      if (isStorable(row, fragment, view.now) && waitingIds.size < MAX_WAITING) waitingIds.add(row.id)
      return isLasting(row) ? keep(row.id, sharedText, fragment) : fragment
    },
    keepStored: ({ id, version, body, hash, interval }, sharedText) =>
      keep(id, sharedText, { bytes: joinBytes([body]), hash, interval, version }),
    takeMade: (limit) => {
      const ids = [...waitingIds].slice(0, limit)
      for (const id of ids) waitingIds.delete(id)
      return ids
    },
  }
}

/** Builds the fragment of a row, with the interval in which the fragment is valid. */
export function makeFragment(row: TaskRow, view: TaskView): MadeFragment {
  const bytes = joinBytes([toJsonText(toTasks([row], view)[0])])
  return { bytes, hash: hash('sha1', bytes, 'base64url'), interval: viewIntervalAt(toSnapshot(row), view.now) }
}

/**
 * Returns true if a fragment should be stored in the database. Three conditions apply: the service has the texts of the
 * task, the fragment is small, and the fragment stays valid long enough.
 */
export function isStorable(row: TaskRow, { bytes, interval: { until } }: MadeFragment, now: bigint): boolean {
  const isGoodForLong = until === null || until - now >= MIN_STORED_SECONDS
  return isLasting(row) && isGoodForLong && bytes.length <= MAX_STORED_BYTES
}

/**
 * Returns true if the content of a task is stored. Without stored content, the fragment must not be cached, because the
 * version of the task does not change when the content arrives.
 */
function isLasting(row: TaskRow): boolean {
  return row.description !== null
}

/**
 * Returns the key of a fragment in the cache.
 * @param sharedText the `sharedVersion` from the statement that read the row
 */
function keyOf(id: Hex, sharedText: string): string {
  return `${id} ${sharedText}`
}
