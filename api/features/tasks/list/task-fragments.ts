import { hash } from 'node:crypto'
import type { Hex } from 'viem'
import type { TimeWindow } from '../../../domain/actions/action-rule.ts'
import { isWithin, viewIntervalAt } from '../../../domain/view-interval.ts'
import type { PublicReads } from '../../../read-model/replicas/public-reads.ts'
import { openRowCache } from '../../../read-model/row-cache.ts'
import { toSnapshot } from '../../../read-model/task-snapshot.queries.ts'
import { toJsonText } from '../../../text/json-text.ts'
import type { TaskRow } from '../task-row.ts'
import { type TaskView, toTasks } from '../tasks.mapper.ts'

/** A listed task as JSON: what every caller is shown of it, and nothing that only some may see. */
export interface TaskFragment {
  text: string
  /** Of the text: tags of pages are made of these. */
  hash: string
}

/** What a fragment was made of. It is good for the same version at a time within the interval. */
interface Made extends TaskFragment {
  /** `taskVersion` of the statement that read the row. */
  version: string
  interval: TimeWindow
}

/** Memory of all texts, bytes: some 15,000 tasks with short texts. */
const MAX_BYTES = 64 * 1024 * 1024
/** Listed tasks as JSON. */
export interface TaskFragments {
  /** The fragment of a task in a version, at the time of the view; undefined: to be made. */
  find(id: Hex, version: FragmentVersion, now: bigint): TaskFragment | undefined
  /** Makes the fragment of a row and keeps it under the versions that were read with the row. */
  make(row: TaskRow, shared: string, view: TaskView): TaskFragment
}

export interface FragmentVersion {
  version: string
  shared: string
}

/** Opens the fragments of the tasks that are read there. */
export function openTaskFragments(reads: Pick<PublicReads, 'onClose'>, maxBytes = MAX_BYTES): TaskFragments {
  // Each server has a `shared` of its own: fragments of one must not push out those of another.
  const kept = openRowCache<Made>(reads, maxBytes)
  return {
    find: (id, { version, shared }, now) => {
      const made = kept.find(keyOf(id, shared))
      const isGood = made !== undefined && made.version === version && isWithin(made.interval, now)
      return isGood ? made : undefined
    },
    make: (row, shared, view) => {
      const text = toJsonText(toTasks([row], view)[0])
      const made = {
        text,
        hash: hash('sha1', text, 'base64url'),
        version: row.version,
        interval: viewIntervalAt(toSnapshot(row), view.now),
      }
      // A content that is stored later changes no version: until then the view has no text to keep.
      if (row.description !== null) kept.put(keyOf(row.id, shared), made, text.length + row.version.length)
      return made
    },
  }
}

/** @param shared `sharedVersion` of the statement that read the row */
function keyOf(id: Hex, shared: string): string {
  return `${id} ${shared}`
}
