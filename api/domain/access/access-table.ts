import type { SubmissionVisibility, TaskVisibility } from '../../../protocol/visibilities.ts'

/**
 * The roles of a caller in a task. One caller may have several roles.
 * - `participant`: an awarded worker, or the assigned worker, of a private task. A worker who was assigned by a claim
 *   or in an auction has this role only if this service relayed the worker's call.
 * - `viewer`: a wallet that the requester invited.
 * - `grant_holder`: a caller with a grant for this task.
 * - `wallet`: any caller with a proven address.
 * - `anonymous`: every caller.
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

/**
 * The rights on a task. `act`: see the task, and take part as the task's rules allow. `view`: see the task. `none`: no
 * right.
 */
export type TaskRight = 'act' | 'view' | 'none'

/**
 * The part of a task's submissions that a caller may read. `all`: all submissions. `winners`: the submissions of the
 * winners and of the caller. `own`: only the caller's submissions.
 */
export type SubmissionScope = 'all' | 'winners' | 'own'

/**
 * The stage of a task. `active`: work may still arrive. `ended`: the task is completed or expired (specification,
 * "Events"), or the evaluator's verdict is `reject`.
 */
export type Stage = 'active' | 'ended'

/** The rights of each role on a public or unlisted task. A grant gives only the right to view. */
const openRights: Record<Relation, TaskRight> = {
  requester: 'act',
  evaluator: 'act',
  resolver: 'act',
  participant: 'act',
  viewer: 'act',
  grant_holder: 'view',
  wallet: 'act',
  anonymous: 'view',
}

/**
 * Part one of the access table: the rights of each role on a task, by the task's visibility. See the specification,
 * "Events" (task visibility) and "Private access".
 */
export const taskPolicy: Record<TaskVisibility, Record<Relation, TaskRight>> = {
  public: openRights,
  unlisted: openRights,
  private: { ...openRights, wallet: 'none', anonymous: 'none' },
}

/**
 * Part two of the access table: the submissions that each role may read in a visible task. The first key is the task's
 * submission visibility, and the second key is the stage. The evaluator of a task may read all submissions. See the
 * specification, "Submission visibility gating", and the interface specification, "Evaluator flow".
 *
 * Example: `submissionPolicy.winner_only.ended.anonymous` is `'winners'`.
 */
export const submissionPolicy: Record<SubmissionVisibility, Record<Stage, Record<Relation, SubmissionScope>>> = {
  public: { active: visibleToOthers('all'), ended: visibleToOthers('all') },
  reveal_all: { active: visibleToOthers('own'), ended: visibleToOthers('all') },
  winner_only: { active: visibleToOthers('own'), ended: visibleToOthers('winners') },
  never: { active: visibleToOthers('own'), ended: visibleToOthers('own') },
}

/**
 * Returns the submissions that each role may read: all submissions for requester, evaluator and resolver, and `scope`
 * for every other role.
 */
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
 * Part three of the access table: the policies for each kind of resource. `task`: only `taskPolicy` applies. `rows`:
 * `taskPolicy` and `submissionPolicy` apply, for example to proofs (interface specification, "Record shapes").
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
 * Part four of the access table. A worker's public record lists the worker's tasks. This table decides which callers,
 * apart from the worker, see a task in the record. If a task is unlisted, only the requester, the evaluator and the
 * resolver of the task see the task in the record. All callers can nevertheless read an unlisted task by its id
 * (specification, "Events").
 */
export const recordPolicy: Record<TaskVisibility, Record<Relation, boolean>> = {
  public: shownTo('participant', 'viewer', 'grant_holder', 'wallet', 'anonymous'),
  unlisted: shownTo(),
  private: shownTo('participant', 'viewer', 'grant_holder'),
}

/**
 * Returns one entry of `recordPolicy`. For each role, the entry is true if the role sees the task in the record. The
 * entry is true for the requester, the evaluator, the resolver and the given roles `others`. For all remaining roles,
 * the entry is false.
 */
function shownTo(...others: Relation[]): Record<Relation, boolean> {
  const entitledRoles: readonly Relation[] = ['requester', 'evaluator', 'resolver', ...others]
  return Object.fromEntries(relations.map((relation) => [relation, entitledRoles.includes(relation)])) as Record<
    Relation,
    boolean
  >
}
