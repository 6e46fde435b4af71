import type { SubmissionVisibility, TaskVisibility } from '../creation/creation-terms.ts'

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
export type Reach = 'all' | 'winners' | 'own'

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

export const taskGate: Record<TaskVisibility, Record<Relation, TaskRight>> = {
  public: open,
  unlisted: open,
  private: { ...open, wallet: 'none', anonymous: 'none' },
}

/**
 * Part two: whose submissions a caller sees of a task that the caller sees. Spec, "Submission visibility gating";
 * Interface, "Evaluator flow": who judges a task sees all of it.
 */
export const rowsGate: Record<SubmissionVisibility, Record<Stage, Record<Relation, Reach>>> = {
  public: { active: othersSee('all'), ended: othersSee('all') },
  reveal_all: { active: othersSee('own'), ended: othersSee('all') },
  winner_only: { active: othersSee('own'), ended: othersSee('winners') },
  never: { active: othersSee('own'), ended: othersSee('own') },
}

function othersSee(reach: Reach): Record<Relation, Reach> {
  return {
    requester: 'all',
    evaluator: 'all',
    resolver: 'all',
    participant: reach,
    viewer: reach,
    grant_holder: reach,
    wallet: reach,
    anonymous: reach,
  }
}

/**
 * Part three: which gate each kind of thing stands behind. `task`: the task's own; `rows`: the submissions' besides.
 * Interface, "Record shapes": proofs and manifests follow submissionVisibility.
 */
export const thingGates = {
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
export type Thing = keyof typeof thingGates

/**
 * Part four: which callers that may see a task are shown it in the record of one of its workers.
 * Spec, "Events": an unlisted task stays reachable by its id; so it is shown to those whom the task itself names.
 */
export const recordGate: Record<TaskVisibility, Record<Relation, boolean>> = {
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
