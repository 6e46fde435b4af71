import { byDepth } from '../../support/depth.ts'

/**
 * The expected access, taken from the specification alone: Spec, "Events" (task visibility,
 * submission visibility gating), "Private access"; Interface, "Evaluator flow" and "Record shapes". Alice submitted,
 * and is the winner of a completed task; bob submitted and was not awarded.
 */
export const roles = [
  'requester',
  'evaluator',
  'resolver',
  'alice',
  'bob',
  'worker',
  'invited',
  'grantHolder',
  'otherGrantHolder',
  'stranger',
  'anonymous',
] as const
export type Role = (typeof roles)[number]

export const taskVisibilities = ['public', 'unlisted', 'private'] as const
export const submissionVisibilities = ['public', 'reveal_all', 'winner_only', 'never'] as const
export const states = [
  'open',
  'pending_approval',
  'appealing',
  'cancelled',
  'completed',
  'expired',
  /** Cancelled by a REJECT verdict. */
  'rejected',
] as const
export type State = (typeof states)[number]
export type SubmissionVisibility = (typeof submissionVisibilities)[number]

const allCases = taskVisibilities.flatMap((taskVisibility) =>
  submissionVisibilities.flatMap((mode) => states.map((state) => ({ taskVisibility, mode, state }))),
)
/** Each state with two submission visibilities, and each task visibility with all of them. */
const someCases = allCases.filter(({ taskVisibility, mode, state }) => {
  const sum = submissionVisibilities.indexOf(mode) + states.indexOf(state)
  return sum % 2 === 0 && taskVisibility === taskVisibilities[(sum + 2) % taskVisibilities.length]
})
/** What is asked over HTTP; `test/unit/domain/access-matrix.test.ts` compares all of it with the policy. */
export const accessCases = byDepth(someCases, allCases)

/** The submissions that each role sees of a visible task: a(lice's), b(ob's). Roles without a column are `other`. */
const submissionTable = `
  mode         state             requester  evaluator  resolver  alice  bob  other
  public       open              ab         ab         ab        ab     ab   ab
  public       pending_approval  ab         ab         ab        ab     ab   ab
  public       appealing         ab         ab         ab        ab     ab   ab
  public       cancelled         ab         ab         ab        ab     ab   ab
  public       completed         ab         ab         ab        ab     ab   ab
  public       expired           ab         ab         ab        ab     ab   ab
  public       rejected          ab         ab         ab        ab     ab   ab
  reveal_all   open              ab         ab         ab        a      b    -
  reveal_all   pending_approval  ab         ab         ab        a      b    -
  reveal_all   appealing         ab         ab         ab        a      b    -
  reveal_all   cancelled         ab         ab         ab        a      b    -
  reveal_all   completed         ab         ab         ab        ab     ab   ab
  reveal_all   expired           ab         ab         ab        ab     ab   ab
  reveal_all   rejected          ab         ab         ab        ab     ab   ab
  winner_only  open              ab         ab         ab        a      b    -
  winner_only  pending_approval  ab         ab         ab        a      b    -
  winner_only  appealing         ab         ab         ab        a      b    -
  winner_only  cancelled         ab         ab         ab        a      b    -
  winner_only  completed         ab         ab         ab        a      ab   a
  winner_only  expired           ab         ab         ab        a      b    -
  winner_only  rejected          ab         ab         ab        a      b    -
  never        open              ab         ab         ab        a      b    -
  never        pending_approval  ab         ab         ab        a      b    -
  never        appealing         ab         ab         ab        a      b    -
  never        cancelled         ab         ab         ab        a      b    -
  never        completed         ab         ab         ab        a      b    -
  never        expired           ab         ab         ab        a      b    -
  never        rejected          ab         ab         ab        a      b    -
`

/**
 * The roles that see a private task. A submission is no invitation (any account can make one by a direct chain call); an
 * award is. After a REJECT verdict there is no assigned worker.
 */
const privateTable = `
  state             requester  evaluator  resolver  alice  bob  worker  invited  grantHolder  otherGrantHolder  stranger  anonymous
  open              yes        yes        yes       no     no   yes     yes      yes          no                no        no
  pending_approval  yes        yes        yes       no     no   yes     yes      yes          no                no        no
  appealing         yes        yes        yes       no     no   yes     yes      yes          no                no        no
  cancelled         yes        yes        yes       no     no   yes     yes      yes          no                no        no
  completed         yes        yes        yes       yes    no   yes     yes      yes          no                no        no
  expired           yes        yes        yes       no     no   yes     yes      yes          no                no        no
  rejected          yes        yes        yes       no     no   no      yes      yes          no                no        no
`

/** Whether a caller sees a task. Every caller sees public and unlisted ones. */
export function seesTask(taskVisibility: string, state: State, role: Role): boolean {
  return taskVisibility !== 'private' || cellOf(privateTable, [state], role) === 'yes'
}

/** The submissions that a caller sees of a visible task. */
export function seesSubmissions(mode: SubmissionVisibility, state: State, role: Role): string[] {
  const named: readonly Role[] = ['requester', 'evaluator', 'resolver', 'alice', 'bob']
  const cell = cellOf(submissionTable, [mode, state], named.includes(role) ? role : 'other')
  return [...cell].flatMap((letter) => (letter === 'a' ? ['alice'] : letter === 'b' ? ['bob'] : []))
}

/**
 * Whether a visible task is shown to a caller, without being requested, in the record of its workers: a listed one, or
 * one that names the caller. Spec, "Events": unlisted ones are reachable by their id. A grant opens its task, and no list.
 */
export function isShownInRecords(taskVisibility: string, role: Role): boolean {
  if (taskVisibility === 'public') return true
  if (taskVisibility === 'private') return role !== 'grantHolder'
  return ['requester', 'evaluator', 'resolver'].includes(role)
}

function cellOf(table: string, keys: readonly string[], column: string): string {
  const [header = [], ...rows] = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  const row = rows.find((cells) => keys.every((key, index) => cells[index] === key))
  const cell = row?.[header.indexOf(column)]
  if (cell === undefined) throw new Error(`no cell for ${keys.join(', ')} and ${column}`)
  return cell
}
