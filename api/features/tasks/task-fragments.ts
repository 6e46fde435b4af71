import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Hex } from 'viem'
import type { Database } from '../../db/client.ts'
import type { TimeWindow } from '../../domain/actions/action-rule.ts'
import { viewIntervalAt } from '../../domain/view-interval.ts'
import { toSnapshot } from '../../read-model/task-snapshot.queries.ts'
import { toJsonText } from '../../text/json-text.ts'
import { toTasks } from './task-pages.ts'
import type { TaskRow } from './task-row.ts'
import type { TaskView } from './tasks.mapper.ts'

/** A listed task as JSON: what every caller is shown of it, and nothing that only some may see. */
export interface TaskFragment {
  text: string
  /** Of the text: tags of pages are made of these. */
  hash: string
  createdAtMs: bigint
}

/** What a fragment was made of. It is good for the same two texts at a time within the interval. */
interface Made extends TaskFragment {
  /** `taskVersion` and `sharedVersion` of the statement that read the row. */
  version: string
  shared: string
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

/** Fragments of a database's tasks. Its connections that end take them away. */
export function openTaskFragments(sql: Pick<Database, 'onClose'>): TaskFragments {
  const fragments = createTaskFragments()
  sql.onClose(fragments.clear)
  return fragments
}

export function createTaskFragments(maxBytes = MAX_BYTES): TaskFragments {
  const kept = new LRUCache<Hex, Made>({
    maxSize: maxBytes,
    // Two bytes a character: a text with one beyond Latin-1 has that throughout.
    sizeCalculation: ({ text, version }) => 2 * (text.length + version.length) + ENTRY_BYTES,
  })
  return {
    find: (id, { version, shared }, now) => {
      const made = kept.get(id)
      const isGood =
        made !== undefined && made.version === version && made.shared === shared && isWithin(made.interval, now)
      return isGood ? made : undefined
    },
    make: (row, shared, view) => {
      const text = toJsonText(toTasks([row], view)[0])
      const made = {
        text,
        hash: hash('sha1', text, 'base64url'),
        createdAtMs: row.createdAtMs,
        version: row.version,
        shared,
        interval: viewIntervalAt(toSnapshot(row), view.now),
      }
      // A content that is stored later changes no version: until then the view has no text to keep.
      if (row.description !== null) kept.set(row.id, made)
      return made
    },
    clear: () => kept.clear(),
  }
}

function isWithin({ from, until }: TimeWindow, now: bigint): boolean {
  return (from === null || from <= now) && (until === null || now < until)
}
