import type { Address } from 'viem'
import { ACTION_FEE } from '../limits.ts'
import type { TaskSnapshot } from '../task-snapshot.ts'
import { type ActionRule, mayEnter, needsOpenEntries, needsWorkerAsPayer, type TimeWindow } from './action-rule.ts'

export interface PitchArgs {
  worker: Address
}

/**
 * The rule by which any worker pitches for a task, any number of times until the pitch deadline. See the interface
 * specification, "Other rules".
 */
export const pitchForTask: ActionRule<PitchArgs> = {
  action: 'pitch',
  denial: 'takes no pitches',
  modes: ['pitch'],
  statuses: ['open'],
  fee: ACTION_FEE,
  eligible: () => [{ role: 'worker', address: null }],
  window: untilPitchDeadline,
  blocked: needsOpenEntries,
  check: (task, { actor, args: { worker } }) => mayEnter(task, worker) ?? needsWorkerAsPayer(actor, worker),
  offeredAs: ({ id }) => [{ command: `task pitch ${id} --text <text>` }],
}

function untilPitchDeadline({ pitchDeadline, expiryTime }: TaskSnapshot): TimeWindow {
  return { from: null, until: pitchDeadline !== null && pitchDeadline < expiryTime ? pitchDeadline : expiryTime }
}
