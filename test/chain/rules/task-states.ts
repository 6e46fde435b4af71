import {
  type AuctionType,
  auctionTypes,
  contestModes,
  type TaskMode,
  taskModes,
} from '../../../protocol/rules/selectors.ts'
import type { TaskStatus } from '../../../protocol/rules/task-status.ts'
import type { TaskState } from '../indexer/task-states.ts'
import { boundariesOf } from './boundaries.ts'

/** Mode, auction type and status of a task. */
export interface StateOfTask {
  mode: TaskMode
  /** Null outside auctions. */
  auctionType: AuctionType | null
  decides: 'requester' | 'evaluator'
  status: TaskStatus
}

/** Every state that a sequence of calls can reach. */
export const reachableStates: readonly StateOfTask[] = taskModes.flatMap((mode) => {
  const subtypes = mode === 'auction' ? auctionTypes : [null]
  return subtypes.flatMap((auctionType) => [
    ...statusesOf(mode, 'requester').map((status) => ({ mode, auctionType, decides: 'requester' as const, status })),
    ...statusesOf(mode, 'evaluator').map((status) => ({ mode, auctionType, decides: 'evaluator' as const, status })),
  ])
})

function statusesOf(mode: TaskMode, decides: StateOfTask['decides']): TaskStatus[] {
  const isContest = contestModes.some((contest) => contest === mode)
  const always = ['open', 'completed', 'expired', 'cancelled'] as const
  const assigned = isContest ? [] : ([mode === 'pitch' ? 'worker_selected' : 'claimed'] as const)
  const delivered = isContest ? [] : ([decides === 'evaluator' ? 'review' : 'pending_approval'] as const)
  const evaluated = decides === 'evaluator' ? (['appealing', 'disputed'] as const) : []
  return [...always, ...assigned, ...delivered, ...evaluated]
}

/** A state as text. */
export function describeState({ mode, auctionType, decides, status }: StateOfTask): string {
  return `${auctionType ?? mode}, ${decides} decides: ${status}`
}

/** The state of a task, as text. */
export function stateOf({ mode, auctionType, status, view }: TaskState): string {
  return `${auctionType ?? mode}, ${view.hasEvaluator ? 'evaluator' : 'requester'} decides: ${status}`
}

/** Those of auctions first, whose windows of bids take the most blocks. */
const slowestFirst = reachableStates.toReversed()

/** Returns the state seen least, of those the one returned least; `seen` by the text of the state. */
export function createCoverageTargets(seen: ReadonlyMap<string, number>): () => StateOfTask {
  const named = new Map<StateOfTask, number>()
  return () => {
    const [wanted] = slowestFirst.toSorted(
      (a, b) =>
        (seen.get(describeState(a)) ?? 0) - (seen.get(describeState(b)) ?? 0) ||
        (named.get(a) ?? 0) - (named.get(b) ?? 0),
    )
    if (wanted === undefined) throw new Error('there are no states')
    named.set(wanted, (named.get(wanted) ?? 0) + 1)
    return wanted
  }
}

/** The tasks whose situations have been seen least; counts them as seen. */
export function takeSeldom(
  tasks: readonly TaskState[],
  seen: Map<string, number>,
  { count, now }: { count: number; now: number },
): TaskState[] {
  const chosen: TaskState[] = []
  const timesSeen = (task: TaskState) => seen.get(situationOf(task, now)) ?? 0
  for (let taken = 0; taken < count; taken += 1) {
    const rest = tasks.filter((task) => !chosen.includes(task))
    const [seldom] = rest.toSorted((a, b) => timesSeen(a) - timesSeen(b))
    if (seldom === undefined) break
    seen.set(situationOf(seldom, now), timesSeen(seldom) + 1)
    chosen.push(seldom)
  }
  return chosen
}

/** The state of a task, whether it has or had entries, and the number of its windows that have ended. */
function situationOf(task: TaskState, now: number): string {
  const { submissionCount, activeSubmissions, pitchCount, bidCount, round } = task.view
  const facts = [submissionCount, activeSubmissions, pitchCount, bidCount, round].map((count) => count > 0)
  return [stateOf(task), ...facts, boundariesOf(task).filter((time) => time <= now).length].join()
}
