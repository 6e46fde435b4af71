import type { Loop, LoopOptions } from '../../concurrency/loop.ts'
import { findDueParts, isAnyDue, type OutboxSource, outboxSources } from '../../intents/outbox-due.queries.ts'
import type { RelayContext } from '../transactions/relay-context.ts'
import { listFundedRelayers } from '../transactions/relayer-services.ts'
import { relayNext } from './relay-next.ts'

/** The concurrent workers of this process for each part of the outbox. */
const WORKERS: Readonly<Record<OutboxSource, number>> = { plain: 4, foreign: 2, refunds: 1 }
/** The poll interval of an outbox that holds intents, milliseconds; deferred work becomes due without a notification. */
const POLL_INTERVAL_MS = 1_000
/** The poll interval of an empty outbox, milliseconds: each new intent notifies. */
const EMPTY_POLL_INTERVAL_MS = 10_000
/** The poll interval of a worker, milliseconds: notifications and the outbox's poll wake it before. */
const WORKER_POLL_INTERVAL_MS = 30_000
/** The intents of one run: even slow ones end within the minute after which the alert `LoopHangs` pages. */
const MOST_OF_A_RUN = 8

/** Starts a loop of this process. */
type StartLoop = (name: string, run: LoopOptions['run']) => Loop

/** The workers of the outbox or of one part. */
export interface Outbox {
  /** Wakes an idle worker of each part, because work may be due. */
  wake(): void
  stop(): Promise<void>
}

/** Starts the workers of all parts, and one poll for all of them. */
export function startOutbox(relay: RelayContext, start: StartLoop): Outbox {
  const { sql } = relay.deps
  const parts = new Map(outboxSources.map((source) => [source, startPart(relay, source, start)]))
  // Until a run has said otherwise: what is notified during one may have come after its statement.
  let isEmpty = true
  const poll = start('outbox', async () => {
    isEmpty = true
    const due = await findDueParts(sql)
    for (const source of outboxSources) if (due[source]) parts.get(source)?.wake()
    isEmpty = !due.isAnyOpen
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
 * Starts the workers of a part. Each relays intents until none is due, with the next of our nonce sequences. It skips a
 * relayer that cannot pay for gas or whose signer just failed, and one with a busy remote signer, which signs one after
 * the other. While none can relay, everything waits.
 */
function startPart(relay: RelayContext, source: OutboxSource, start: StartLoop): Outbox {
  const { deps } = relay
  const idle = new Set<number>()
  const loops: Loop[] = []
  let turn = 0
  /** Relays one intent. @returns false when nothing was waiting, or no relayer can relay */
  const relayWithNext = async (): Promise<boolean> => {
    for (;;) {
      const funded = await listFundedRelayers(deps.relayer, deps.chain)
      const free = funded.filter(({ isBusy }) => !isBusy())
      const relayer = free[turn++ % Math.max(free.length, 1)]
      // Nothing is awaited in between, so no other worker takes it.
      if (relayer !== undefined) return await relayer.inTurn(() => relayNext(relay, relayer, source))
      if (funded.length === 0) return false
      await Promise.race(funded.map(({ whenFree }) => whenFree()))
    }
  }
  // While all workers are busy, the first runs once more afterwards, because the last one may have just found nothing.
  const wake = (): void => {
    const [worker = 0] = idle
    idle.delete(worker)
    loops[worker]?.wake()
  }

  /** Runs a worker. @returns the pause after it, milliseconds */
  const run = async (stopping: AbortSignal): Promise<number> => {
    for (let taken = 0; !stopping.aborted && (await isAnyDue(deps.sql, source)); taken += 1) {
      if (taken === MOST_OF_A_RUN) return 0
      if (taken === 1) wake()
      if (!(await relayWithNext())) break
    }
    return WORKER_POLL_INTERVAL_MS
  }
  for (let worker = 0; worker < WORKERS[source]; worker += 1) {
    const loop = start(`outbox ${source}`, async (stopping) => {
      idle.delete(worker)
      try {
        return await run(stopping)
      } finally {
        idle.add(worker)
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
