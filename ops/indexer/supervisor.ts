import type postgres from 'postgres'
import { signalProcess } from '../process/process-registry.ts'
import { createHeadReader, findIndexedHead } from './indexed-head.ts'
import type { IndexerLock } from './indexer-lock.ts'
import { type Ponder, type PonderOptions, readPonderLog } from './ponder-process.ts'
import { consumeRestart, type RestartLimits } from './restart-limit.ts'
import { startAndCatchUp } from './start-and-catch-up.ts'
import { type Sample, startWatch, type WatchdogLimits, type WatchdogState, watch } from './watchdog.ts'

export interface SupervisorOptions {
  sql: postgres.Sql
  lock: IndexerLock
  ponder: PonderOptions
  limits: WatchdogLimits
  restarts: RestartLimits
  watchIntervalMs: number
  log: (line: string) => void
}

export interface Supervisor {
  /** The Ponder of now. */
  current(): Ponder
  /** Resolves with the reason when it has given up; stays open after `end`. */
  failed: Promise<Error>
  /** Ends Ponder, well (SIGINT) or as a crash would (SIGKILL), and the watch. */
  end(signal: 'SIGINT' | 'SIGKILL'): Promise<void>
}

/**
 * Brings Ponder up and watches it from then on: one that ends, lags or stands still is restarted.
 * @throws when it does not come up the first time, with the end of its log
 */
export async function startSupervisor(options: SupervisorOptions): Promise<Supervisor> {
  const { log } = options
  const ending = new AbortController()
  const sleep = createSleep()
  const readHead = createHeadReader(options.ponder.rpcUrl)
  const bring = async (): Promise<Ponder> => {
    const ponder = await startAndCatchUp({ ...options, readHead, signal: ending.signal })
    ponder.child.ended.then(sleep.wake)
    return ponder
  }
  let giveUp: (reason: Error) => void = () => {}
  const failed = new Promise<Error>((resolve) => {
    giveUp = resolve
  })
  let current = await bring()
  let restarts: number[] = []

  const restart = async (reason: string): Promise<void> => {
    for (let why = reason; ; ) {
      const spent = consumeRestart(restarts, Date.now(), options.restarts)
      if (spent === null) throw new Error(`gave up after ${restarts.length} restarts: Ponder ${why}`)
      restarts = spent
      log(`restarting Ponder: it ${why}`)
      await current.child.stop()
      try {
        current = await bring()
        return
      } catch (error) {
        if (ending.signal.aborted) return
        why = `did not come up: ${error instanceof Error ? error.message : String(error)}`
      }
    }
  }

  const supervise = async (): Promise<void> => {
    let state: WatchdogState | null = null
    for (;;) {
      await sleep.sleep(options.watchIntervalMs)
      if (ending.signal.aborted) return
      const end = current.child.findEnd()
      if (end !== null) log(`the end of Ponder's log:\n${readPonderLog(current.child)}`)
      const sample = end === null ? await findSample(options, readHead) : null
      let reason = end === null ? null : `ended with ${end.description}`
      if (sample !== null) {
        ;({ state, reason } = watch(state ?? startWatch(sample), { sample, limits: options.limits }))
      }
      if (reason === null) continue
      await restart(reason)
      state = null
    }
  }

  const supervising = supervise().catch(async (error: unknown) => {
    await current.child.stop()
    giveUp(error instanceof Error ? error : new Error(String(error)))
  })
  return {
    current: () => current,
    failed,
    end: async (signal) => {
      ending.abort()
      sleep.wake()
      if (signal === 'SIGKILL') signalProcess(-current.child.pid, 'SIGKILL')
      await current.child.stop()
      await supervising
      // A restart that was under way may have brought up another one.
      await current.child.stop()
    },
  }
}

/**
 * What the watchdog checks; null while the chain or the database does not answer, which is no fault of Ponder.
 * @throws when the lock is lost: another indexer writes this schema now
 */
async function findSample(options: SupervisorOptions, readHead: () => Promise<bigint>): Promise<Sample | null> {
  const { sql, lock, ponder } = options
  const answers = await Promise.allSettled([readHead(), findIndexedHead(sql, ponder.schema), lock.isHeld()])
  const [head, indexed, isHeld] = answers
  if (isHeld.status === 'fulfilled' && !isHeld.value) throw new Error(`another indexer has taken over ${ponder.schema}`)
  if (head.status === 'rejected' || indexed.status === 'rejected' || indexed.value === null) return null
  return { atMs: Date.now(), head: head.value, indexed: indexed.value.blockNumber }
}

/** A sleep that can be cut short; one sleeper at a time. */
function createSleep() {
  let wake = () => {}
  const sleep = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  return { sleep, wake: () => wake() }
}
