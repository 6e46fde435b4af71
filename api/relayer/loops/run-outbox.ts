import type { Loop, LoopOptions } from '../../concurrency/loop.ts'
import { findDueParts, isAnyDue, type OutboxSource, outboxSources } from '../../intents/outbox-due.queries.ts'
import type { RelayContext } from '../transactions/relay-context.ts'
import { listFundedRelayers } from '../transactions/relayer-services.ts'
import { relayNext } from './relay-next.ts'

/**
 * The number of concurrent workers in this process for each part of the outbox (the stored intents and refunds to be
 * sent).
 */
const WORKERS: Readonly<Record<OutboxSource, number>> = { plain: 4, foreign: 2, refunds: 1 }
/**
 * The poll interval while the outbox contains intents, in milliseconds. Postponed work becomes due without a
 * notification.
 */
const POLL_INTERVAL_MS = 1_000
/**
 * The poll interval of an empty outbox, in milliseconds. It can be long, because each new intent sends a notification.
 */
const EMPTY_POLL_INTERVAL_MS = 10_000
/**
 * The poll interval of an idle worker, in milliseconds. Notifications and the outbox's poll usually wake the worker
 * earlier.
 */
const WORKER_POLL_INTERVAL_MS = 30_000
/**
 * The largest number of intents that a worker handles in one run. It is so small that a run ends within one minute. The
 * alert `LoopHangs` fires if no run has ended for one minute.
 */
const MOST_OF_A_RUN = 8

/** Starts a named loop in this process. */
type StartLoop = (name: string, run: LoopOptions['run']) => Loop

/**
 * The background loops (workers) that send due intents and refunds. One object stands for the whole outbox, or for one
 * of its parts: plain intents, foreign intents, refunds.
 */
export interface Outbox {
  /** Wakes one idle worker of each part of the outbox. Called when work may have become due. */
  wake(): void
  stop(): Promise<void>
}

/**
 * Starts the workers of each part of the outbox (plain intents, foreign intents, refunds), and one loop that polls for
 * all parts.
 */
export function startOutbox(relay: RelayContext, start: StartLoop): Outbox {
  const { sql } = relay.deps
  const parts = new Map(outboxSources.map((source) => [source, startPart(relay, source, start)]))
  // Until a run has said otherwise: what is notified during one may have come after its statement.
  let isEmpty = true
  const poll = start('outbox', async () => {
    isEmpty = true
    const dueParts = await findDueParts(sql)
    for (const source of outboxSources) if (dueParts[source]) parts.get(source)?.wake()
    isEmpty = !dueParts.isAnyOpen
    return isEmpty ? EMPTY_POLL_INTERVAL_MS : POLL_INTERVAL_MS
  })
  return {
    wake: () => {
      for (const part of parts.values()) part.wake()
      if (isEmpty) poll.wake()
    },
    stop: async () => {
      await poll.stop()
      await Promise.all([...parts.values()].map((part) => part.stop()))
    },
  }
}

/**
 * Starts the workers of one part of the outbox. Each worker relays intents until none is due, and takes the relayers in
 * turn. It skips relayers without ether, with a failed signer, or with a busy remote signer.
 */
function startPart(relay: RelayContext, source: OutboxSource, start: StartLoop): Outbox {
  const { deps } = relay
  const idleWorkers = new Set<number>()
  const loops: Loop[] = []
  let turn = 0
  /**
   * Relays one intent with the next usable relayer.
   * @returns false when no intent was due, or no relayer is usable
   */
  const relayWithNext = async (): Promise<boolean> => {
    for (;;) {
      const fundedRelayers = await listFundedRelayers(deps.relayer, deps.chain)
      const freeRelayers = fundedRelayers.filter(({ isBusy }) => !isBusy())
      const relayer = freeRelayers[turn++ % Math.max(freeRelayers.length, 1)]
      // Nothing is awaited in between, so no other worker takes it.
      if (relayer !== undefined) return await relayer.inTurn(() => relayNext(relay, relayer, source))
      if (fundedRelayers.length === 0) return false
      await Promise.race(fundedRelayers.map(({ whenFree }) => whenFree()))
    }
  }
  // While all workers are busy, the first runs once more afterwards, because the last one may have just found nothing.
  const wake = (): void => {
    const [worker = 0] = idleWorkers
    idleWorkers.delete(worker)
    loops[worker]?.wake()
  }

  /** Relays intents until none is due. @returns the pause until the next run, in milliseconds */
  const run = async (stopping: AbortSignal): Promise<number> => {
    for (let takenCount = 0; !stopping.aborted && (await isAnyDue(deps.sql, source)); takenCount += 1) {
      if (takenCount === MOST_OF_A_RUN) return 0
      if (takenCount === 1) wake()
      if (!(await relayWithNext())) break
    }
    return WORKER_POLL_INTERVAL_MS
  }
  for (let worker = 0; worker < WORKERS[source]; worker += 1) {
    const loop = start(`outbox ${source}`, async (stopping) => {
      idleWorkers.delete(worker)
      try {
        return await run(stopping)
      } finally {
        idleWorkers.add(worker)
      }
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
