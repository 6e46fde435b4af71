import { amount, type Check, either, isRecord, list, optional, record, type Shape, text } from './shape.ts'

/**
 * The expected rows of one list. `what`: a noun phrase for the rows in error sentences, such as `tasks (id, status,
 * reward)`. `row`: the check of one row.
 */
interface Rows {
  what: string
  row: Check
  /** The page's field that contains the rows; absent if the page itself is the list. */
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

/** The expected form of the rows of a list that has no entry in `rowsByPath`. */
const other: Rows = { what: 'rows', row: either(record(), text) }

/** The expected form of a list's rows, by the API path of the list. */
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
 * Reports whether an API path returns a list.
 * @param path the path with its parameters in braces
 */
export function isListPath(path: string): boolean {
  return Object.hasOwn(rowsByPath, path)
}

/**
 * Returns the expected form of a list's page.
 * @param path the path with its parameters in braces
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

/**
 * Returns the rows of a page: the page itself if the page is a list, else the page's first list. Null if the page
 * contains no list.
 */
export function findRows(page: unknown): unknown[] | null {
  if (Array.isArray(page)) return page
  return (isRecord(page) ? Object.values(page).find(Array.isArray) : undefined) ?? null
}
