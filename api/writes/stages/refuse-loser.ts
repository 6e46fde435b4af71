import { type AnyWrite, relayModeOf, type WriteInput } from '../relayed-write.ts'
import type { WriteDeps } from '../write-deps.ts'
import { refused } from './admit.ts'

/**
 * Stage 5: refuses a write that another one excludes which is being mined, by the rows alone: no node is asked. The signer of a body
 * is taken at its word: with the wrong signature the answer would be the same, and of a private task that it may not see nothing is
 * said here.
 * @throws ServiceError 409 `task_changing`; nothing was charged or reserved
 */
export function refuseLoser(
  { chain, deployment }: WriteDeps,
  { write, input, subject }: { write: AnyWrite; input: WriteInput; subject: unknown },
): void {
  const head = chain.knownHead()
  const mode = relayModeOf(write, subject, input)
  if (head === null || mode === null) return
  const actor = mode === 'signed' ? (write.signed?.(input, subject, { deployment })?.actor ?? null) : null
  const clocks = { head: head.timestamp, current: chain.knownTime() }
  const refusal = write.preflight(subject, input, { actor, now: head.timestamp, clocks })
  if (refusal?.failure === 'task_changing') throw refused(refusal)
}
