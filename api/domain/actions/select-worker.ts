import type { Address } from 'viem'
import { ACTION_FEE } from '../limits.ts'
import { type Refusal, refuse } from '../refusal.ts'
import type { PitchFacts, TaskSnapshot } from '../task-snapshot.ts'
import { type ActionRule, requesterOnly, untilExpiry } from './action-rule.ts'

export interface SelectWorkerArgs {
  worker: Address
  /** The pitch that the request names. Null if the named pitch does not exist. Absent if the request names none. */
  pitch?: PitchFacts | null
}

/**
 * The rule by which the requester chooses one of the workers who pitched. The action is possible before and after the
 * pitch deadline. See the interface specification, "Other rules".
 */
export const selectPitched: ActionRule<SelectWorkerArgs> = {
  action: 'select_worker',
  denial: 'takes no pitches, and so has no worker to choose',
  modes: ['pitch'],
  statuses: ['open'],
  moves: ['TaskWorkerSelected'],
  fee: ACTION_FEE,
  eligible: requesterOnly,
  window: untilExpiry,
  blocked: ({ pitchCount }) => (pitchCount > 0 ? null : refuse(409, 'no_pitch', 'No worker has pitched for the task.')),
  check: (task, { args }) => needsPitched(task, args.worker) ?? checkPitch(task, args),
  offeredAs: ({ id, solePitch }) => [
    {
      command: `task select-worker ${id} --pitch ${solePitch?.id ?? '<pitchId>'} --worker ${solePitch?.worker ?? '<worker>'}`,
    },
  ],
}

function needsPitched(task: TaskSnapshot, worker: Address): Refusal | null {
  if (task.entries.get(worker)?.pitched === true) return null
  return refuse(409, 'no_pitch', `${worker} has not pitched for this task.`, { field: 'workerAddress' })
}

function checkPitch({ id }: TaskSnapshot, { worker, pitch }: SelectWorkerArgs): Refusal | null {
  if (pitch === undefined || (pitch !== null && pitch.taskId === id && pitch.worker === worker)) return null
  return refuse(409, 'unknown_pitch', `This is no pitch of ${worker} for this task.`, { field: 'pitchId' })
}
