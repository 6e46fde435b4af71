import type { RelayContext } from '../transactions/relay-context.ts'
import type { Relayer } from '../transactions/relayer.ts'
import { listFundedRelayers } from '../transactions/relayer-services.ts'
import { type OutboxSource, relayNext } from './relay-next.ts'

/** Concurrent workers of this process for each part of the outbox. */
const WORKERS: Readonly<Record<OutboxSource, number>> = { plain: 4, foreign: 2, refunds: 1 }
/** Poll interval without a notification, milliseconds. */
const POLL_INTERVAL_MS = 1_000

/**
 * One run over a part of the outbox: until nothing waits or it is to stop, each intent on the next of our nonce
 * sequence. A relayer that cannot pay for gas is passed over; while none can, everything waits.
 */
export function createOutboxRun(relay: RelayContext, source: OutboxSource): (stopping: AbortSignal) => Promise<number> {
  const { deps } = relay
  let turn = 0
  const nextRelayer = async (): Promise<Relayer | null> => {
    const funded = await listFundedRelayers(deps.relayer, deps.chain)
    return funded[turn++ % Math.max(funded.length, 1)] ?? null
  }

  return async (stopping) => {
    const workers = Array.from({ length: WORKERS[source] }, async () => {
      for (let relayer = await nextRelayer(); relayer !== null; relayer = await nextRelayer()) {
        if (stopping.aborted || !(await relayNext(relay, relayer, source))) return
      }
    })
    await Promise.all(workers)
    return POLL_INTERVAL_MS
  }
}
