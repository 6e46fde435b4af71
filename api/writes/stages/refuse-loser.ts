import { type AnyWrite, relayModeOf, type WriteInput } from '../relayed-write.ts'
import type { WriteDeps } from '../write-deps.ts'
import { refused } from './admit.ts'

/**
 * Refuses a write in stage 5 if a competing write on the same task is being mined. The check reads only stored rows. If
 * the named signer may not read a private task, the refusal discloses nothing about the task.
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
