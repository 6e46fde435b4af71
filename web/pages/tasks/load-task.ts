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

/**
 * Reads a task by its id or reference code; null: there is none that every caller may see. What a task cannot have is not
 * asked for.
 */
export async function loadTask(reads: Reads, idOrCode: string): Promise<TaskFacts | null> {
  const task = await reads.get('/api/tasks/{taskId}', { path: { taskId: idOrCode } })
  if (task === null) return null
  const path = { taskId: task.id }
  const takesBids = task.auctionType === 'english' || task.auctionType === 'reverse_english'
  const hasSubmissions = task.submissionCount > 0
  const [submissions, pitches, bids, proofs, claim, feedbacks, requester, movements] = await Promise.all([
    hasSubmissions ? reads.get('/api/tasks/{taskId}/submissions', { path, query: { limit: 100 } }) : [],
    task.pitchCount > 0 ? reads.get('/api/tasks/{taskId}/pitches', { path, query: { limit: 100 } }) : [],
    takesBids && (task.auctionBidCount ?? 0) > 0 ? reads.get('/api/tasks/{taskId}/bids', { path }) : [],
    task.mode === 'benchmark' && hasSubmissions ? reads.get('/api/tasks/{taskId}/proofs', { path }) : [],
    task.mode === 'claim' && (task.claimedBy !== null || task.claimRound > 0)
      ? reads.get('/api/tasks/{taskId}/claim', { path })
      : null,
    task.status === 'completed' ? readFeedbacks(reads, task.id) : [],
    reads.get('/api/requesters/{address}/stats', { path: { address: task.requester } }),
    readMovements(reads, task.id),
  ])
  return { task, submissions, pitches, bids, proofs, claim, feedbacks, requester, movements }
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
