import { amount, type Check, either, isRecord, list, optional, record, type Shape, text } from './shape.ts'

/** Rows of one list: their name in a sentence, and the fields that identify them. */
interface Rows {
  what: string
  row: Check
  /** Member of the page that contains the rows; absent: the page itself is the list. */
  member?: string
}

const tasks: Rows = { what: 'tasks (id, status, reward)', row: record({ id: text, status: text, reward: amount }) }
const vault: Rows = { what: 'vaults (vaultId, status)', row: record({ vaultId: text, status: text }) }
const ofWorkers = (what: string): Rows => ({
  what: `${what} (id, workerAddress)`,
  row: record({ id: text, workerAddress: text }),
})
const submission = record({
  id: text,
  workerAddress: text,
  deliverableHash: optional(text),
  rejectedAt: optional(text),
})

/** Rows of a list without an entry below. */
const other: Rows = { what: 'rows', row: either(record(), text) }

/** Rows by the path of their list. */
const rowsByPath: Readonly<Record<string, Rows>> = {
  '/api/tasks': { ...tasks, member: 'tasks' },
  '/api/task-drops': {
    what: 'task drops (id, ownerAddress)',
    row: record({ id: text, ownerAddress: text }),
    member: 'taskDrops',
  },
  '/api/task-drops/{taskDropId}': { ...tasks, member: 'tasks' },
  '/api/tasks/{taskId}/submissions': { what: 'submissions (id, workerAddress)', row: submission },
  '/api/tasks/{taskId}/bids': ofWorkers('bids'),
  '/api/tasks/{taskId}/pitches': ofWorkers('pitches'),
  '/api/tasks/{taskId}/proofs': ofWorkers('proofs'),
  '/api/tasks/{taskId}/feedbacks': { ...ofWorkers('feedbacks'), member: 'feedbacks' },
  '/api/submissions/mine': {
    what: 'submissions (submissionId, taskId)',
    row: record({ submissionId: text, taskId: text }),
  },
  '/api/bids/my': { what: 'bids (taskId, taskStatus)', row: record({ taskId: text, taskStatus: text }) },
  '/api/agents/leaderboard': { what: 'workers (address)', row: record({ address: text }) },
  '/api/sponsored-task-vaults': { ...vault, member: 'vaults' },
  '/api/sponsored-task-vaults/by-token': vault,
}

/**
 * Reports whether a path is that of a list.
 * @param path with its parameters in braces
 */
export function isListPath(path: string): boolean {
  return Object.hasOwn(rowsByPath, path)
}

/**
 * Returns the form of a page of a list.
 * @param path with its parameters in braces
 */
export function pageShapeOf(path: string): Shape {
  const rows = isListPath(path) ? rowsByPath[path] : undefined
  const { what, row, member } = rows ?? other
  const check = list(row)
  return {
    what: `a list of ${what}`,
    accepts: (value) => {
      if (rows === undefined) return check(findRows(value))
      return member === undefined ? check(value) : isRecord(value) && check(value[member])
    },
  }
}

/** Returns the rows of a page, which has one list; null: none. */
export function findRows(page: unknown): unknown[] | null {
  if (Array.isArray(page)) return page
  return (isRecord(page) ? Object.values(page).find(Array.isArray) : undefined) ?? null
}
