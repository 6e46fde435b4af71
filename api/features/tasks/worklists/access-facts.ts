import type { RowAccessFacts } from '../../../domain/access/access-facts.ts'
import type { SubmissionVisibility } from '../../../domain/creation/creation-terms.ts'
import type { TaskSnapshot } from '../../../domain/task-snapshot.ts'

/** What decides who may see a task and its submissions, of a task whose snapshot is there already. */
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
  return {
    ...task,
    submissionVisibility: task.submissionVisibility ?? 'public',
    awardedWorkers: task.awards.map(({ worker }) => worker),
  }
}
