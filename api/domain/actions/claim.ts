import type { Address, Hex } from 'viem'
import { termsHashOf } from '../../../protocol/terms-hash.ts'
import { refuse } from '../refusal.ts'
import { stakeOf } from '../stake.ts'
import { type ActionRule, mayEnter, needsOpenEntries, needsWorkerAsPayer, untilExpiry } from './action-rule.ts'

export interface ClaimArgs {
  worker: Address
  /** The hash of the terms that the worker agrees to; absent: the worker agrees to the present terms. */
  termsHash?: Hex | undefined
}

/**
 * The rule by which a worker claims a task. The first worker who claims a task has it until its expiry. The worker pays
 * the stake as a deposit, and no fee. See the interface specification, "Stake".
 */
export const claimTask: ActionRule<ClaimArgs> = {
  action: 'claim',
  modes: ['claim'],
  statuses: ['open'],
  moves: ['TaskWorkerSelected'],
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
