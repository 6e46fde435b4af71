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

/** A listed task as JSON: what every caller is shown of it, and nothing that only some may see. */
export interface TaskFragment {
  bytes: Buffer
  /** Hash of the bytes: tags of pages are made of these. */
  hash: string
}

/** A fragment with the times of the head at which it is good. */
interface MadeFragment extends TaskFragment {
  interval: TimeWindow
}

/** The version and interval of a fragment. It is valid for the same version at a time within the interval. */
interface Kept extends MadeFragment {
  /** `taskVersion` of the statement that read the row. */
  version: string
}

/** Memory of all texts, bytes: some 15,000 tasks with short texts. */
const MAX_BYTES = 64 * 1024 * 1024
/** Tasks that wait to be stored; more are stored when a page makes them again. */
const MAX_WAITING = 10_000
/** Fragments that are stored are good for at least so long, seconds: the price of a running clock is not. */
const MIN_STORED_SECONDS = 600n
/** Bytes of a stored fragment at most. */
const MAX_STORED_BYTES = 64 * 1024

/** Listed tasks as JSON. */
export interface TaskFragments {
  /** The fragment of a task in a version, at the time of the view; undefined: to be made. */
  find(id: Hex, version: FragmentVersion, now: bigint): TaskFragment | undefined
  /** Makes the fragment of a row and keeps it under the versions that were read with the row. */
  make(row: TaskRow, shared: string, view: TaskView): TaskFragment
  /** Keeps a fragment that was stored, under the versions by which it was found. */
  keepStored(stored: StoredFragment, shared: string): TaskFragment
  /** Takes at most so many of the tasks whose fragments were made since, and are to be stored. */
  takeMade(limit: number): Hex[]
  /** `digestView` of this process: stored fragments of another are not used. */
  digest: string
}

export interface FragmentVersion {
  version: string
  shared: string
}

/** Opens the fragments of the tasks that are read there. */
export function openTaskFragments(
  reads: Pick<PublicReads, 'onClose'>,
  { digest, maxBytes = MAX_BYTES }: { digest: string; maxBytes?: number },
): TaskFragments {
  // Each server has a `shared` of its own: fragments of one must not push out those of another.
  const kept = openRowCache<Kept>(reads, maxBytes)
  const waiting = new Set<Hex>()
  const keep = (id: Hex, shared: string, fragment: Kept): TaskFragment => {
    kept.put(keyOf(id, shared), fragment, fragment.bytes.length + 2 * fragment.version.length)
    return fragment
  }
  return {
    digest,
    find: (id, { version, shared }, now) => {
      const fragment = kept.find(keyOf(id, shared))
      const isGood = fragment !== undefined && fragment.version === version && isWithin(fragment.interval, now)
      return isGood ? fragment : undefined
    },
    make: (row, shared, view) => {
      const fragment = { ...makeFragment(row, view), version: row.version }
      if (isStorable(row, fragment, view.now) && waiting.size < MAX_WAITING) waiting.add(row.id)
      return isLasting(row) ? keep(row.id, shared, fragment) : fragment
    },
    keepStored: ({ id, version, body, hash, interval }, shared) =>
      keep(id, shared, { bytes: joinBytes([body]), hash, interval, version }),
    takeMade: (limit) => {
      const ids = [...waiting].slice(0, limit)
      for (const id of ids) waiting.delete(id)
      return ids
    },
  }
}

/** Makes the fragment of a row, good at the times of its interval. */
export function makeFragment(row: TaskRow, view: TaskView): MadeFragment {
  const bytes = joinBytes([toJsonText(toTasks([row], view)[0])])
  return { bytes, hash: hash('sha1', bytes, 'base64url'), interval: viewIntervalAt(toSnapshot(row), view.now) }
}

/** Says whether the fragment of a row is to be stored: it is good for a while, and no large one. */
export function isStorable(row: TaskRow, { bytes, interval: { until } }: MadeFragment, now: bigint): boolean {
  const isGoodForLong = until === null || until - now >= MIN_STORED_SECONDS
  return isLasting(row) && isGoodForLong && bytes.length <= MAX_STORED_BYTES
}

/** A content that is stored later changes no version: until then the view has no text to keep. */
function isLasting(row: TaskRow): boolean {
  return row.description !== null
}

/** @param shared `sharedVersion` of the statement that read the row */
function keyOf(id: Hex, shared: string): string {
  return `${id} ${shared}`
}
