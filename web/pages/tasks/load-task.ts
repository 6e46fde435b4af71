import type { Movement } from '../../html/movements.ts'
import type { Reads } from '../../http/read.ts'
import type { Bid, Claim, Feedback, Pitch, Proof, RequesterStats, Submission, TaskDetail } from '../../http/rows.ts'

/** The data of a task's page. */
export interface TaskFacts {
  task: TaskDetail
  submissions: readonly Submission[]
  pitches: readonly Pitch[]
  bids: readonly Bid[]
  proofs: readonly Proof[]
  claim: Claim | null
  feedbacks: readonly Feedback[]
  requester: RequesterStats | null
  /** Movements of money that concern the task. */
  movements: readonly Movement[]
}

/** The parts of a task that the page requests. The API returns only the parts that the task has. */
const include = [
  'submissions',
  'pitches',
  'bids',
  'proofs',
  'claim',
  'feedbacks',
  'requesterStats',
  'movements',
] as const

/**
 * Reads a task and all its parts in one request. Returns null if there is no public task with this id or reference
 * code.
 * Example: `loadTask(reads, 'TSK-MVSFMM75')`.
 */
export async function loadTask(reads: Reads, idOrCode: string): Promise<TaskFacts | null> {
  const path = { taskId: idOrCode }
  const answer = await reads.get('/api/tasks/{taskId}', { path, query: { include: [...include] } })
  if (answer === null) return null
  const { parts = {}, ...task } = answer
  return {
    task,
    submissions: parts.submissions ?? [],
    pitches: parts.pitches ?? [],
    bids: parts.bids ?? [],
    proofs: parts.proofs ?? [],
    claim: parts.claim ?? null,
    feedbacks: parts.feedbacks?.feedbacks ?? [],
    requester: parts.requesterStats ?? null,
    movements: parts.movements ?? [],
  }
}
