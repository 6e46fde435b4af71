import type { Address } from 'viem'
import { ACTION_FEE } from '../limits.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { type ActionRule, mayEnter, needsNotRejected, needsWorkerAsPayer, untilExpiry } from './action-rule.ts'

export interface SubmitProofArgs {
  worker: Address
  /** The worker submitted this very proof before. */
  isRepeated: boolean
}

/** Any worker, any number of times with other data; a rejected one never again. It counts as a submission. */
export const submitProofOfMetric: ActionRule<SubmitProofArgs> = {
  action: 'submit_proof',
  denial: 'takes no proofs',
  modes: ['benchmark'],
  statuses: ['open'],
  fee: ACTION_FEE,
  eligible: () => [{ role: 'worker', address: null }],
  window: untilExpiry,
  check: (task, { actor, args: { worker, isRepeated } }) =>
    mayEnter(task, worker) ??
    needsNotRejected(task, worker) ??
    refuseRepeated(isRepeated) ??
    needsWorkerAsPayer(actor, worker),
  offeredAs: ({ id }) => [{ command: `task proof ${id} --data <data> --type <type>` }],
}

/** A worker submits each proof once. */
export function refuseRepeated(isRepeated: boolean): Refusal | null {
  if (!isRepeated) return null
  return refuse(409, 'duplicate_submission', 'This worker submitted the very same proof already.', {
    field: 'proofData',
  })
}
