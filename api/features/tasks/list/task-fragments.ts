import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Hex } from 'viem'
import type { TimeWindow } from '../../../domain/actions/action-rule.ts'
import { viewIntervalAt } from '../../../domain/view-interval.ts'
import type { PublicReads } from '../../../read-model/replicas/public-reads.ts'
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
/** What an entry takes besides its texts. */
const ENTRY_BYTES = 500

/** Listed tasks as JSON, the least recently used ones dropped first. */
export interface TaskFragments {
  /** The fragment of a task in a version, at the time of the view; undefined: to be made. */
  find(id: Hex, version: FragmentVersion, now: bigint): TaskFragment | undefined
  /** Makes the fragment of a row and keeps it under the versions that were read with the row. */
  make(row: TaskRow, shared: string, view: TaskView): TaskFragment
  clear(): void
}

export interface FragmentVersion {
  version: string
  shared: string
}

/** Fragments of the tasks that are read there. Connections that end take them away. */
export function openTaskFragments(reads: Pick<PublicReads, 'onClose'>): TaskFragments {
  const fragments = createTaskFragments()
  reads.onClose(fragments.clear)
  return fragments
}

export function createTaskFragments(maxBytes = MAX_BYTES): TaskFragments {
  // Each server has a `shared` of its own: fragments of one must not push out those of another.
  const kept = new LRUCache<string, Made>({
    maxSize: maxBytes,
    // Two bytes a character: a text with one beyond Latin-1 has that throughout.
    sizeCalculation: ({ text, version }) => 2 * (text.length + version.length) + ENTRY_BYTES,
  })
  return {
    find: (id, { version, shared }, now) => {
      const made = kept.get(keyOf(id, shared))
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
      if (row.description !== null) kept.set(keyOf(row.id, shared), made)
      return made
    },
    clear: () => kept.clear(),
  }
}

/** @param shared `sharedVersion` of the statement that read the row */
function keyOf(id: Hex, shared: string): string {
  return `${id} ${shared}`
}

function isWithin({ from, until }: TimeWindow, now: bigint): boolean {
  return (from === null || from <= now) && (until === null || now < until)
}
