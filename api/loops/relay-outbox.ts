import type { RelayContext } from '../writes/relay/relay-context.ts'
import { relayNext } from '../writes/relay/relay-next.ts'

/** Intents taken to the chain at the same time by this process. */
const AT_ONCE = 6
/** How often the outbox is looked into without being told; milliseconds. */
const LOOK_EVERY_MS = 1_000

/** One run over the outbox: until nothing waits or it is to stop, each intent on the next of our lanes. */
export function createOutboxRun(relay: RelayContext): (stopping: AbortSignal) => Promise<number> {
  const { relayers } = relay.deps.writes
  let turn = 0
  const nextRelayer = () => relayers[turn++ % relayers.length] ?? relayers[0]

  return async (stopping) => {
    const workers = Array.from({ length: AT_ONCE }, async () => {
      while (!stopping.aborted && (await relayNext(relay, nextRelayer())));
    })
    await Promise.all(workers)
    return LOOK_EVERY_MS
  }
}
