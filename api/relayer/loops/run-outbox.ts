import type { Loop, LoopOptions } from '../../concurrency/loop.ts'
import { isAnyRecorded } from '../../intents/outbox.queries.ts'
import { isAnyRefundPending } from '../../intents/refunds.queries.ts'
import type { RelayContext } from '../transactions/relay-context.ts'
import type { Relayer } from '../transactions/relayer.ts'
import { listFundedRelayers } from '../transactions/relayer-services.ts'
import { type OutboxSource, relayNext } from './relay-next.ts'

/** Concurrent workers of this process for each part of the outbox. */
const WORKERS: Readonly<Record<OutboxSource, number>> = { plain: 4, foreign: 2, refunds: 1 }
/** Poll interval of one worker without a notification, milliseconds; what was deferred becomes due without one. */
const POLL_INTERVAL_MS = 1_000
/** Poll interval of the others, milliseconds: that one wakes them while more is due. */
const OTHERS_POLL_INTERVAL_MS = 30_000

/** The workers of one part of the outbox. */
export interface Outbox {
  /** Something may be due: a worker without work looks. */
  wake(): void
  stop(): Promise<void>
}

/**
 * Starts the workers of a part of the outbox. Each takes intents until none is due, each on the next of our nonce
 * sequences. A relayer that cannot pay for gas is passed over; while none can, everything waits.
 */
export function startOutbox(
  relay: RelayContext,
  source: OutboxSource,
  start: (name: string, run: LoopOptions['run']) => Loop,
): Outbox {
  const { deps } = relay
  const idle = new Set<number>()
  const loops: Loop[] = []
  let turn = 0
  const nextRelayer = async (): Promise<Relayer | null> => {
    const funded = await listFundedRelayers(deps.relayer, deps.chain)
    return funded[turn++ % Math.max(funded.length, 1)] ?? null
  }
  const isAnyDue = () => (source === 'refunds' ? isAnyRefundPending(deps.sql) : isAnyRecorded(deps.sql, source))
  // Where every worker has work, the first looks once more after it: the last one may just have looked in vain.
  const wake = (): void => {
    const [worker = 0] = idle
    idle.delete(worker)
    loops[worker]?.wake()
  }

  const run = async (stopping: AbortSignal): Promise<void> => {
    for (let taken = 0; !stopping.aborted && (await isAnyDue()); taken += 1) {
      if (taken === 1) wake()
      const relayer = await nextRelayer()
      if (relayer === null || !(await relayNext(relay, relayer, source))) return
    }
  }
  for (let worker = 0; worker < WORKERS[source]; worker += 1) {
    const loop = start(`outbox ${source}`, async (stopping) => {
      idle.delete(worker)
      try {
        await run(stopping)
      } finally {
        idle.add(worker)
      }
      return worker === 0 ? POLL_INTERVAL_MS : OTHERS_POLL_INTERVAL_MS
    })
    loops.push(loop)
  }
  return {
    wake,
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}
