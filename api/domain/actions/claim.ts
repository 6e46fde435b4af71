import type { Address, Hex } from 'viem'
import { termsHashOf } from '../../../protocol/terms-hash.ts'
import { refuse } from '../refusal.ts'
import { stakeOf } from '../stake.ts'
import { type ActionRule, mayEnter, needsOpenEntries, needsWorkerAsPayer, untilExpiry } from './action-rule.ts'

export interface ClaimArgs {
  worker: Address
  /** The terms the worker agrees to; absent: the present ones. */
  termsHash?: Hex | undefined
}

/** The first worker who takes the task has it until it expires. What a claim puts in is no fee. Interface, "Stake". */
export const claimTask: ActionRule<ClaimArgs> = {
  action: 'claim',
  modes: ['claim'],
  statuses: ['open'],
  fee: null,
  stake: stakeOf,
  eligible: () => [{ role: 'worker', address: null }],
  window: untilExpiry,
  blocked: needsOpenEntries,
  check: (task, { actor, args: { worker, termsHash } }) => {
    if (termsHash !== undefined && termsHash !== termsHashOf(task)) {
      return refuse(409, 'terms_changed', 'The task has other terms now: read it again before claiming it.', {
        field: 'termsHash',
      })
    }
    return mayEnter(task, worker) ?? needsWorkerAsPayer(actor, worker)
  },
  offeredAs: ({ id }) => [{ command: `task claim ${id}` }],
}
