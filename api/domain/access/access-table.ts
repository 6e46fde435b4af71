import type { SubmissionVisibility, TaskVisibility } from '../../../protocol/visibilities.ts'

/**
 * The roles of a caller towards a task; one caller may have several. `participant`: assigned or awarded (on a private
 * task by an entry of this service). `viewer`: invited by the requester. `grant_holder`: shows a grant for this very
 * task. `wallet`: any address that proved itself. `anonymous`: every caller.
 */
export const relations = [
  'requester',
  'evaluator',
  'resolver',
  'participant',
  'viewer',
  'grant_holder',
  'wallet',
  'anonymous',
] as const
export type Relation = (typeof relations)[number]

/** What a task lets a caller do: see it and take part as its rules admit, see it only, or neither. */
export type TaskRight = 'act' | 'view' | 'none'

/** Whose rows of a task a caller sees: all; the winners' and their own; their own. */
export type SubmissionScope = 'all' | 'winners' | 'own'

/** While work may still come, and after. Spec, "Events": completed or expired; Interface adds a REJECT verdict. */
export type Stage = 'active' | 'ended'

/**
 * THE TABLE, part one: who sees a task at all. Spec, "Events" (task visibility) and "Private access": viewing is not
 * participating, so a grant only ever views.
 */
const open: Record<Relation, TaskRight> = {
  requester: 'act',
  evaluator: 'act',
  resolver: 'act',
  participant: 'act',
  viewer: 'act',
  grant_holder: 'view',
  wallet: 'act',
  anonymous: 'view',
}

export const taskPolicy: Record<TaskVisibility, Record<Relation, TaskRight>> = {
  public: open,
  unlisted: open,
  private: { ...open, wallet: 'none', anonymous: 'none' },
}

/**
 * Part two: whose submissions a caller sees of a task that the caller sees. Spec, "Submission visibility gating";
 * Interface, "Evaluator flow": the evaluator of a task sees all of it.
 */
export const submissionPolicy: Record<SubmissionVisibility, Record<Stage, Record<Relation, SubmissionScope>>> = {
  public: { active: visibleToOthers('all'), ended: visibleToOthers('all') },
  reveal_all: { active: visibleToOthers('own'), ended: visibleToOthers('all') },
  winner_only: { active: visibleToOthers('own'), ended: visibleToOthers('winners') },
  never: { active: visibleToOthers('own'), ended: visibleToOthers('own') },
}

function visibleToOthers(scope: SubmissionScope): Record<Relation, SubmissionScope> {
  return {
    requester: 'all',
    evaluator: 'all',
    resolver: 'all',
    participant: scope,
    viewer: scope,
    grant_holder: scope,
    wallet: scope,
    anonymous: scope,
  }
}

/**
 * Part three: which policy decides about each kind of resource. `task`: the task's own; `rows`: the submissions' too.
 * Interface, "Record shapes": proofs and manifests follow submissionVisibility.
 */
export const resourcePolicies = {
  task: 'task',
  claim: 'task',
  bids: 'task',
  pitches: 'task',
  feedback: 'task',
  submissions: 'rows',
  artifacts: 'rows',
  manifests: 'rows',
  proofs: 'rows',
} as const satisfies Record<string, 'task' | 'rows'>
export type Resource = keyof typeof resourcePolicies

/**
 * Part four: which callers that may see a task are shown it in the record of one of its workers.
 * Spec, "Events": an unlisted task stays reachable by its id; so it is shown to those whom the task itself names.
 */
export const recordPolicy: Record<TaskVisibility, Record<Relation, boolean>> = {
  public: shownTo('participant', 'viewer', 'grant_holder', 'wallet', 'anonymous'),
  unlisted: shownTo(),
  private: shownTo('participant', 'viewer', 'grant_holder'),
}

/** An account that the task names is shown it in any case. */
function shownTo(...others: Relation[]): Record<Relation, boolean> {
  const shown: readonly Relation[] = ['requester', 'evaluator', 'resolver', ...others]
  return Object.fromEntries(relations.map((relation) => [relation, shown.includes(relation)])) as Record<
    Relation,
    boolean
  >
}
