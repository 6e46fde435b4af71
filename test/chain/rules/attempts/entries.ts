import type { Address, Hex } from 'viem'
import { zeroHash } from 'viem'
import { termsHashOf } from '../../../../protocol/terms-hash.ts'
import { wallets } from '../wallets.ts'
import { type Attempts, listEntries, withoutArgs } from './attempt.ts'

/** Mostly the current terms; without given terms the service uses the current ones. */
export const claim: Attempts<{ worker: Address; termsHash?: Hex | undefined }> = {
  sensible: ({ actor }) => [{ worker: actor }],
  any: ({ task, actor, random }) => ({
    worker: actor,
    termsHash: random.pick([null, termsHashOf(task) ?? zeroHash, random.word()]) ?? undefined,
  }),
  call: ({ task }, { termsHash }) => ['claimTask', [task.id, termsHash ?? termsHashOf(task) ?? zeroHash]],
}

export const forfeit = withoutArgs(({ id }) => ['forfeitAndReopen', [id]])

export const pitch: Attempts<{ worker: Address }> = {
  sensible: ({ actor }) => [{ worker: actor }],
  any: ({ actor }) => ({ worker: actor }),
  call: ({ task, random }) => ['submitPitch', [task.id, random.word()]],
}

export const selectWorker: Attempts<{ worker: Address }> = {
  sensible: ({ task }) => listEntries(task.entries, ({ pitched }) => pitched).map((worker) => ({ worker })),
  any: ({ random }) => ({ worker: random.pick(wallets) }),
  call: ({ task }, { worker }) => ['selectWorker', [task.id, worker]],
}
