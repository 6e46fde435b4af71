import { shortAddress } from '../session.ts'
import type { ActionContext, Field, Share } from './fields.ts'

/** The workers who delivered, each once. */
export const workersOf = ({ submissions }: ActionContext) => [
  ...new Set(submissions.map(({ workerAddress }) => workerAddress)),
]

/** Returns true if a task may pay several workers. */
export const isContest = ({ task }: ActionContext) => task.mode === 'bounty' || task.mode === 'benchmark'

/** The workers that a decision may pay: in a contest those who delivered, else the assigned worker. */
export const payable = (context: ActionContext) =>
  isContest(context) ? workersOf(context) : context.task.claimedBy === null ? [] : [context.task.claimedBy]

/** The field that selects one of the workers. */
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

/** The workers paid by a decision, in the words of the payment sheet. */
export const paidBy = (shares: unknown) =>
  ((shares ?? []) as Share[])
    .filter(({ part }) => part > 0n)
    .map(({ worker, part }) => ({ name: shortAddress(worker), part }))
