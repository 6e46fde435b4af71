import type { SubmissionVisibility, TaskVisibility } from '../../../protocol/visibilities.ts'

/**
 * The roles of a caller towards a task; one caller may have several. `participant`: assigned or awarded (on a private
 * task by an entry of this service). `viewer`: invited by the requester. `grant_holder`: shows a grant for this task.
 * `wallet`: any proven address. `anonymous`: every caller.
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

/** The rights on a task: see it and take part as its rules admit (`act`), see it only (`view`), or neither (`none`). */
export type TaskRight = 'act' | 'view' | 'none'

/** The rows of a task that a caller sees: all, the winners' and the caller's, or the caller's alone. */
export type SubmissionScope = 'all' | 'winners' | 'own'

/**
 * The stage of a task: `active` while work may arrive, `ended` after it. Spec, "Events": a task ends when it is
 * completed or expired; Interface adds a REJECT verdict.
 */
export type Stage = 'active' | 'ended'

/**
 * Part one of the table: who sees a task. Spec, "Events" (task visibility) and "Private access". A grant only ever
 * views, because viewing is not participating.
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
 * Part two: which submissions a caller sees, in a task that the caller may see. Spec, "Submission visibility gating";
 * Interface, "Evaluator flow": the evaluator of a task sees all of them.
 *
 * Example: `submissionPolicy.winner_only.ended.anonymous` is `'winners'`.
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
 * Part three: the policy of each kind of resource. `task`: the task's policy; `rows`: the submissions' policy too.
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
 * Part four: which callers find a task in the public record of one of its workers. Spec, "Events": an unlisted task
 * stays reachable by its id. So the record shows it only to accounts that the task names.
 */
export const recordPolicy: Record<TaskVisibility, Record<Relation, boolean>> = {
  public: shownTo('participant', 'viewer', 'grant_holder', 'wallet', 'anonymous'),
  unlisted: shownTo(),
  private: shownTo('participant', 'viewer', 'grant_holder'),
}

/** Returns the row of `recordPolicy` for these roles; accounts that the task names always see it. */
function shownTo(...others: Relation[]): Record<Relation, boolean> {
  const entitledRoles: readonly Relation[] = ['requester', 'evaluator', 'resolver', ...others]
  return Object.fromEntries(relations.map((relation) => [relation, entitledRoles.includes(relation)])) as Record<
    Relation,
    boolean
  >
}
