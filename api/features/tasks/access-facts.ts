import type { SubmissionVisibility } from '../../../protocol/visibilities.ts'
import type { RowAccessFacts } from '../../domain/access/access-facts.ts'
import type { TaskSnapshot } from '../../domain/task-snapshot.ts'

/** Returns the columns of a task snapshot that decide who may see the task and its rows. */
export function toAccessFacts(
  task: Pick<
    TaskSnapshot,
    | 'requester'
    | 'taskVisibility'
    | 'evaluator'
    | 'disputeResolver'
    | 'participants'
    | 'viewers'
    | 'status'
    | 'verdict'
    | 'awards'
  > & { submissionVisibility: SubmissionVisibility | null },
): RowAccessFacts {
  // Field by field: a copy of all columns would be a fifth of the cost of a candidate in the action queue.
  return {
    requester: task.requester,
    taskVisibility: task.taskVisibility,
    evaluator: task.evaluator,
    disputeResolver: task.disputeResolver,
    participants: task.participants,
    viewers: task.viewers,
    status: task.status,
    verdict: task.verdict,
    submissionVisibility: task.submissionVisibility ?? 'public',
    awardedWorkers: task.awards.map(({ worker }) => worker),
  }
}
