import type { HttpEntry, WriteEntry } from '../../environment/evidence-log.ts'
import type { Evidence } from '../evidence.ts'
import { eventsNamed } from '../look-up.ts'
import { type Violation, violationsOf } from '../violation.ts'

const violation = violationsOf('no read is older than an answer before it')

/**
 * After so many milliseconds every process has to show what any other has answered. A process that misses a notification
 * reads again after three seconds, so a higher value would hide the loss.
 */
const SHARED_AFTER_MS = 1_000

/** How far a task is; each number only grows. */
interface Progress {
  /** Place of its status in its life. */
  stage: number
  submissions: number
}

/** What an answer says of a task. */
interface Fact extends Progress {
  taskId: string
}

const stages: Readonly<Record<string, number>> = { open: 0, claimed: 1, worker_selected: 1 }
const ended = ['completed', 'cancelled', 'expired']
const ENDED = 3

/**
 * A list or a detail shows at least what an earlier answer of the same process said of a task, and what any process said
 * `SHARED_AFTER_MS` before. Of one fault case: between two the chain may have been rewound.
 */
export function checkReads(evidence: Evidence): Violation[] {
  const { faultCases, http } = evidence.log
  const places = new Map(
    eventsNamed(evidence, 'market', 'TaskCreated').map(({ args }, place) => [String(args.taskId), place]),
  )
  return faultCases.flatMap(({ name }) => {
    const entries = http.filter((entry) => entry.faultCase === name && entry.status === 200)
    return checkCase(evidence, { entries, places, name })
  })
}

interface CaseEntries {
  entries: readonly HttpEntry[]
  /** Tasks of the chain, in the order of their creation. */
  places: ReadonlyMap<string, number>
  name: string
}

function checkCase({ log }: Evidence, { entries, places, name }: CaseEntries): Violation[] {
  const writes = new Map(log.writes.map((write) => [write.key, write]))
  const answers = entries
    .map((entry) => ({ entry, facts: factsIn(entry, writes) }))
    .filter(({ facts }) => facts.length > 0)
    .sort((a, b) => a.entry.endedAt - b.entry.endedAt)
  const byProcess = new Map<number, Map<string, Progress>>()
  const byAll = new Map<string, Progress>()
  const [own, all] = [answers.values(), answers.values()].map((values) => ({ values, next: values.next() }))
  const found = new Map<string, Violation>()
  const reads = entries.filter((entry) => isRead(entry)).sort((a, b) => a.startedAt - b.startedAt)
  for (const read of reads) {
    // Milliseconds do not order what happened within one.
    for (; own?.next.done === false && own.next.value.entry.endedAt < read.startedAt; own.next = own.values.next()) {
      const { entry, facts } = own.next.value
      const known = byProcess.get(entry.replica) ?? new Map()
      byProcess.set(entry.replica, known)
      for (const fact of facts) learn(known, fact)
    }
    const before = read.startedAt - SHARED_AFTER_MS
    for (; all?.next.done === false && all.next.value.entry.endedAt < before; all.next = all.values.next()) {
      for (const fact of all.next.value.facts) learn(byAll, fact)
    }
    for (const known of [byProcess.get(read.replica) ?? new Map<string, Progress>(), byAll]) {
      for (const message of listOlder(read, known, places)) {
        const subject = `GET ${read.path} of process ${read.replica} in "${name}"`
        if (!found.has(subject)) found.set(subject, violation(subject, message))
      }
    }
  }
  return [...found.values()]
}

/** What of a read is older than what is known. */
function listOlder(
  read: HttpEntry,
  known: ReadonlyMap<string, Progress>,
  places: ReadonlyMap<string, number>,
): string[] {
  const shown = new Map(viewsIn(read).map((fact) => [fact.taskId, fact]))
  return [...known].flatMap(([taskId, least]) => {
    const view = shown.get(taskId)
    if (view === undefined) return mustShow(read, taskId, places) ? [`task ${taskId} is missing`] : []
    const isOlder = view.stage < least.stage || view.submissions < least.submissions
    return isOlder ? [`task ${taskId} was ${JSON.stringify(least)}, and is ${JSON.stringify(view)}`] : []
  })
}

/** A detail shows its task; a list of the newest shows it unless it is full of newer ones. */
function mustShow({ path, body }: HttpEntry, taskId: string, places: ReadonlyMap<string, number>): boolean {
  if (!isList(path)) return path === `/api/tasks/${taskId}`
  const { tasks, hasMore } = body as { tasks: { id: string }[]; hasMore: boolean }
  const last = tasks.at(-1)
  if (!hasMore || last === undefined) return true
  const [place, lastPlace] = [places.get(taskId), places.get(last.id)]
  return place !== undefined && lastPlace !== undefined && place > lastPlace
}

function factsIn(entry: HttpEntry, writes: ReadonlyMap<string, WriteEntry>): Fact[] {
  if (isRead(entry)) return viewsIn(entry)
  const write = entry.method === 'POST' && entry.key !== null ? writes.get(entry.key) : undefined
  return write === undefined ? [] : effectOf(write, entry)
}

/** The content of a write's answer of 200, by the event that is its effect. A create alone names its task in the answer. */
function effectOf({ effect }: WriteEntry, { body }: HttpEntry): Fact[] {
  const taskId = effect.args.taskId ?? (body as { taskId?: string }).taskId
  if (typeof taskId !== 'string') return []
  const fact = (progress: Partial<Progress>): Fact[] => [{ taskId, stage: 0, submissions: 0, ...progress }]
  switch (effect.event) {
    case 'TaskCreated':
      return fact({})
    case 'TaskCancelled':
    case 'TaskCompleted':
    case 'TaskRated':
      return fact({ stage: ENDED })
    case 'TaskWorkerSelected':
      return fact({ stage: 1 })
    case 'TaskSubmitted':
      return fact({ submissions: 1 })
    default:
      return []
  }
}

function isRead({ method, path }: HttpEntry): boolean {
  return method === 'GET' && (isList(path) || /^\/api\/tasks\/0x[0-9a-f]{64}$/.test(path))
}

function isList(path: string): boolean {
  return /^\/api\/tasks\?limit=\d+$/.test(path)
}

/** The tasks that a list or a detail shows. */
function viewsIn({ path, body }: HttpEntry): Fact[] {
  const views = isList(path) ? (body as { tasks: TaskView[] }).tasks : [body as TaskView | null]
  return views.flatMap((view) => {
    if (view === null) return []
    const stage = ended.includes(view.status) ? ENDED : (stages[view.status] ?? 2)
    return [{ taskId: view.id, stage, submissions: view.submissionCount ?? 0 }]
  })
}

interface TaskView {
  id: string
  status: string
  submissionCount: number | null
}

function learn(known: Map<string, Progress>, { taskId, stage, submissions }: Fact): void {
  const before = known.get(taskId)
  known.set(taskId, {
    stage: Math.max(stage, before?.stage ?? 0),
    submissions: Math.max(submissions, before?.submissions ?? 0),
  })
}
