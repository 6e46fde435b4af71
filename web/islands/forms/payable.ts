import { shortAddress } from '../session.ts'
import type { ActionContext, Field, Share } from './fields.ts'

/** Returns the addresses of the workers who delivered, without repetitions. */
export const workersOf = ({ submissions }: ActionContext) => [
  ...new Set(submissions.map(({ workerAddress }) => workerAddress)),
]

/** Returns true if a task may pay several workers. */
export const isContest = ({ task }: ActionContext) => task.mode === 'bounty' || task.mode === 'benchmark'

/**
 * Returns the workers whom a decision may pay: in a contest all workers who delivered, in any other task only the
 * assigned worker.
 */
export const payable = (context: ActionContext) =>
  isContest(context) ? workersOf(context) : context.task.claimedBy === null ? [] : [context.task.claimedBy]

/** Returns a function that creates the field in which a person selects one of the payable workers. */
export const chooseWorker =
  (label: string) =>
  (context: ActionContext): Field[] => [
    {
      kind: 'choice',
      name: 'worker',
      label,
      options: payable(context).map((worker) => [worker, shortAddress(worker), deliveredBy(worker, context)] as const),
    },
  ]

function deliveredBy(worker: string, { submissions }: ActionContext): string {
  const files = submissions.filter((one) => one.workerAddress === worker).flatMap(({ artifacts }) => artifacts)
  return files.map(({ fileName }) => fileName).join(', ')
}

/** Returns the workers whom a decision pays. `name`: the worker's shortened address. `part`: the amount. */
export const paidBy = (shares: unknown) =>
  ((shares ?? []) as Share[])
    .filter(({ part }) => part > 0n)
    .map(({ worker, part }) => ({ name: shortAddress(worker), part }))
