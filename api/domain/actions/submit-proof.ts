import type { Address } from 'viem'
import { ACTION_FEE } from '../limits.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { type ActionRule, mayEnter, needsNotRejected, needsWorkerAsPayer, untilExpiry } from './action-rule.ts'

export interface SubmitProofArgs {
  worker: Address
  /** True if the worker submitted the same proof before. */
  isRepeated: boolean
}

/**
 * The rule by which a worker submits a proof to a benchmark task. A worker may submit several proofs, but never the
 * same data twice. A worker whose submissions were rejected cannot submit. A proof counts as a submission.
 */
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

/** Refuses a proof if the worker already submitted the same proof to the task. */
export function refuseRepeated(isRepeated: boolean): Refusal | null {
  if (!isRepeated) return null
  return refuse(409, 'duplicate_submission', 'This worker submitted the very same proof already.', {
    field: 'proofData',
  })
}
