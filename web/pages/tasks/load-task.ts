import { type AnswerOf, ReadProblem, type Reads } from '../../http/read.ts'
import type { Bid, Claim, Feedback, Pitch, Proof, RequesterStats, Submission, TaskDetail } from '../../http/rows.ts'

type Movement = NonNullable<AnswerOf<'/api/books'>['movements']>[number]

/** Everything that the page of a task shows. */
export interface TaskFacts {
  task: TaskDetail
  submissions: readonly Submission[]
  pitches: readonly Pitch[]
  bids: readonly Bid[]
  proofs: readonly Proof[]
  claim: Claim | null
  feedbacks: readonly Feedback[]
  requester: RequesterStats | null
  /** Of the money of the task; empty where the books are not written yet. */
  movements: readonly Movement[]
}

/** The parts of a task that have reads of their own. */
type Part = Exclude<keyof TaskFacts, 'task'>

/** The values of a task that never change, and the parts that it had when it was read last. */
interface KnownTask {
  id: string
  requester: string
  parts: readonly Part[]
}

/** Tasks that are remembered: with them a page begins all its reads at once. */
const MAX_KNOWN = 2_000
const knownTasks = new Map<string, KnownTask>()

/**
 * Reads a task by its id or reference code; null: there is none that every caller may see. Parts that a task cannot have are
 * not asked for. The parts of a task that was read before are asked for together with it.
 * Example: `loadTask(reads, 'TSK-MVSFMM75')`.
 */
export async function loadTask(reads: Reads, idOrCode: string): Promise<TaskFacts | null> {
  const reading = reads.get('/api/tasks/{taskId}', { path: { taskId: idOrCode } })
  const before = knownTasks.get(idOrCode)
  const early = before === undefined ? {} : beginParts(reads, before, before.parts)
  const task = await reading
  if (task === null) return null
  const current: KnownTask = { id: task.id, requester: task.requester, parts: partsOf(task) }
  remember(idOrCode, current)
  // After a reorg, or at another API, a code may be that of another task.
  const begun = before?.id === current.id && before.requester === current.requester ? early : {}
  const missing = current.parts.filter((part) => begun[part] === undefined)
  const parts = { ...begun, ...beginParts(reads, current, missing) }
  const [submissions, pitches, bids, proofs, claim, feedbacks, requester, movements] = await Promise.all([
    parts.submissions ?? [],
    parts.pitches ?? [],
    parts.bids ?? [],
    parts.proofs ?? [],
    parts.claim ?? null,
    parts.feedbacks ?? [],
    parts.requester ?? null,
    parts.movements ?? [],
  ])
  return { task, submissions, pitches, bids, proofs, claim, feedbacks, requester, movements }
}

function remember(idOrCode: string, task: KnownTask): void {
  knownTasks.delete(idOrCode)
  knownTasks.set(idOrCode, task)
  const [oldest] = knownTasks.keys()
  if (knownTasks.size > MAX_KNOWN && oldest !== undefined) knownTasks.delete(oldest)
}

function partsOf(task: TaskDetail): Part[] {
  const hasSubmissions = task.submissionCount > 0
  const takesBids = task.auctionType === 'english' || task.auctionType === 'reverse_english'
  const parts: Record<Part, boolean> = {
    submissions: hasSubmissions,
    pitches: task.pitchCount > 0,
    bids: takesBids && (task.auctionBidCount ?? 0) > 0,
    proofs: task.mode === 'benchmark' && hasSubmissions,
    claim: task.mode === 'claim' && (task.claimedBy !== null || task.claimRound > 0),
    feedbacks: task.status === 'completed',
    requester: true,
    movements: true,
  }
  return (Object.keys(parts) as Part[]).filter((part) => parts[part])
}

type Reading = { [Name in Part]?: Promise<TaskFacts[Name]> }

function beginParts(reads: Reads, { id, requester }: KnownTask, parts: readonly Part[]): Reading {
  const path = { taskId: id }
  const query = { limit: 100 }
  const has = (part: Part) => parts.includes(part)
  const begun: Reading = {
    ...(has('submissions') && { submissions: reads.get('/api/tasks/{taskId}/submissions', { path, query }) }),
    ...(has('pitches') && { pitches: reads.get('/api/tasks/{taskId}/pitches', { path, query }) }),
    ...(has('bids') && { bids: reads.get('/api/tasks/{taskId}/bids', { path }) }),
    ...(has('proofs') && { proofs: reads.get('/api/tasks/{taskId}/proofs', { path }) }),
    ...(has('claim') && { claim: reads.get('/api/tasks/{taskId}/claim', { path }) }),
    ...(has('feedbacks') && { feedbacks: readFeedbacks(reads, id) }),
    ...(has('requester') && {
      requester: reads.get('/api/requesters/{address}/stats', { path: { address: requester } }),
    }),
    ...(has('movements') && { movements: readMovements(reads, id) }),
  }
  // A part may fail before the task is answered, or be of a task that is gone.
  for (const reading of Object.values(begun)) reading.catch(() => {})
  return begun
}

async function readFeedbacks(reads: Reads, taskId: string): Promise<readonly Feedback[]> {
  return (await reads.get('/api/tasks/{taskId}/feedbacks', { path: { taskId } })).feedbacks
}

/** Books that were not compared yet have no movements: a page is not refused for that. */
async function readMovements(reads: Reads, taskId: string): Promise<readonly Movement[]> {
  try {
    return (await reads.get('/api/books', { query: { taskId, limit: 100 } })).movements ?? []
  } catch (error) {
    if (error instanceof ReadProblem && error.status === 503) return []
    throw error
  }
}
