import type postgres from 'postgres'
import { signalProcess } from '../process/process-registry.ts'
import { describeError } from './describe-error.ts'
import { FENCE_MESSAGE } from './fence.ts'
import { OlderGeneration, readGeneration } from './generation.ts'
import { createHeadReader, findIndexedHead, isHeadPlausible, type NodeHead } from './indexed-head.ts'
import type { IndexerLock } from './indexer-lock.ts'
import type { IndexerMetrics } from './indexer-metrics.ts'
import { type Ponder, type PonderOptions, readPonderLog } from './ponder-process.ts'
import { consumeRestart, type RestartLimits } from './restart-limit.ts'
import { type RunningPonder, startAndCatchUp } from './start-and-catch-up.ts'
import { type Sample, startWatch, type WatchdogLimits, type WatchdogState, watch } from './watchdog.ts'

/** Interval in milliseconds between two checks whether the database and the node answer again. */
const REACH_INTERVAL_MS = 500

export interface SupervisorOptions {
  sql: postgres.Sql
  lock: IndexerLock
  ponder: PonderOptions
  /** The generation of the rows that this Ponder writes. */
  generation: number
  limits: WatchdogLimits
  restarts: RestartLimits
  watchIntervalMs: number
  /** True for a chain on this machine. The time of such a chain may differ from the machine's clock. */
  isLocal: boolean
  /** Returns the name of the schema for the current source code and deployment. */
  nameSchema: () => string
  /** Runs when Ponder cannot start yet. Returns a function that runs when Ponder can start. */
  whileWaiting?: () => Promise<() => Promise<void>>
  log: (line: string) => void
  metrics: IndexerMetrics
}

export interface Supervisor {
  /** Returns the current Ponder. */
  current(): Ponder
  /** Resolves with the reason when the supervisor has given up. The promise remains pending after `end`. */
  failed: Promise<Error>
  /**
   * Ends Ponder, and stops the supervisor's checks. SIGINT ends Ponder cleanly. SIGKILL ends Ponder as a crash would.
   */
  end(signal: 'SIGINT' | 'SIGKILL'): Promise<void>
}

/**
 * Starts Ponder once the database and the node answer, and watches Ponder. Restarts Ponder when Ponder ends, lags
 * behind the chain or makes no progress.
 * @throws with the end of Ponder's log if the first start fails
 */
export async function startSupervisor(options: SupervisorOptions): Promise<Supervisor> {
  const { log, lock, metrics } = options
  const endController = new AbortController()
  const sleep = createSleep()
  const readHead = createHeadReader(options.ponder.rpcUrl)
  const bring = async (): Promise<RunningPonder> => {
    if (options.nameSchema() !== options.ponder.schema) throw new ChangedSource(options.ponder.schema)
    const liveIndexer = await startAndCatchUp({ ...options, readHead, signal: endController.signal })
    liveIndexer.ponder.child.ended.then(sleep.wake)
    return liveIndexer
  }
  let giveUp: (reason: Error) => void = () => {}
  const failure = new Promise<Error>((resolve) => {
    giveUp = resolve
  })
  /**
   * Waits until the database accepts writes and the node answers.
   * @param mustRenew true if the session of the lock may belong to a replaced server and must be opened again
   */
  const waitUntilReachable = async (mustRenew: boolean): Promise<void> => {
    let isRenewed = !mustRenew
    const find = async () => {
      const outage = isRenewed ? null : await renewLock(lock)
      if (outage !== null) return outage
      isRenewed = true
      return await findOutage(options, readHead)
    }
    let outage = await find()
    if (outage === null) return
    const endWaiting = await options.whileWaiting?.()
    let loggedOutage: string | null = null
    try {
      while (outage !== null && !endController.signal.aborted) {
        if (outage !== loggedOutage) log(`Ponder is not started: ${outage}`)
        loggedOutage = outage
        await sleep.sleep(REACH_INTERVAL_MS)
        outage = await find()
      }
    } finally {
      await endWaiting?.()
    }
  }

  const bringFirst = async (): Promise<RunningPonder> => {
    for (;;) {
      await waitUntilReachable(false)
      try {
        return await bring()
      } catch (error) {
        if ((await findOutage(options, readHead)) === null) throw error
      }
    }
  }
  let currentIndexer = await bringFirst()
  let restarts: number[] = []

  const restart = async (reason: string): Promise<void> => {
    for (let why = reason; ; ) {
      log(`restarting Ponder: it ${why}`)
      const { child } = currentIndexer.ponder
      const outage = await findOutage(options, readHead, currentIndexer.session)
      // Without its database Ponder would wait five seconds for an end that it cannot write.
      if (outage !== null && child.findEnd() === null) signalProcess(-child.pid, 'SIGKILL')
      await child.stop()
      const isFenced = why.includes(FENCE_MESSAGE) || readPonderLog(child).includes(FENCE_MESSAGE)
      if (!isFenced && outage === null) {
        const spentRestarts = consumeRestart(restarts, Date.now(), options.restarts)
        if (spentRestarts === null) throw new Error(`gave up after ${restarts.length} restarts: Ponder ${why}`)
        restarts = spentRestarts
      }
      await waitUntilReachable(isFenced)
      if (endController.signal.aborted) return
      try {
        currentIndexer = await bring()
        metrics.restarted()
        return
      } catch (error) {
        if (endController.signal.aborted) return
        if (error instanceof ChangedSource) throw error
        why = `did not come up: ${describeError(error)}`
      }
    }
  }

  const supervise = async (): Promise<void> => {
    let state: WatchdogState | null = null
    for (;;) {
      await sleep.sleep(options.watchIntervalMs)
      if (endController.signal.aborted) return
      const { child } = currentIndexer.ponder
      const end = child.findEnd()
      if (end !== null) log(`the end of Ponder's log:\n${readPonderLog(child)}`)
      const servedGeneration = await readGeneration(options.sql).catch(() => options.generation)
      if (servedGeneration > options.generation) throw new OlderGeneration()
      const sample = end === null ? await findSample(options, readHead) : null
      if (sample !== null) metrics.sampled(sample)
      let reason = end === null ? null : `ended with ${end.description}`
      if (sample !== null && sample.session !== currentIndexer.session) {
        reason = 'writes for a session of the database that ended: the server may have lost blocks'
      } else if (sample !== null) {
        ;({ state, reason } = watch(state ?? startWatch(sample), { sample, limits: options.limits }))
      }
      if (reason === null) continue
      await restart(reason)
      state = null
    }
  }

  const supervision = supervise().catch(async (error: unknown) => {
    await currentIndexer.ponder.child.stop()
    giveUp(error instanceof Error ? error : new Error(String(error)))
  })
  return {
    current: () => currentIndexer.ponder,
    failed: failure,
    end: async (signal) => {
      endController.abort()
      sleep.wake()
      if (signal === 'SIGKILL') signalProcess(-currentIndexer.ponder.child.pid, 'SIGKILL')
      await currentIndexer.ponder.child.stop()
      await supervision
      // A restart in progress may have started another one.
      await currentIndexer.ponder.child.stop()
    },
  }
}

/**
 * Thrown when the source code or the deployment has changed since the indexer started. The changed source or deployment
 * requires another schema than the one that this indexer writes.
 */
class ChangedSource extends Error {
  // Ponder notices a change of `src`, but not of `protocol/rules`. Ponder would add rows by the new rules to rows by
  // the old rules.
  constructor(schema: string) {
    super(
      `source or deployment changed since this indexer started, and ${schema} is of the ones before; start it again`,
    )
    this.name = 'ChangedSource'
  }
}

/**
 * Reads the values that the watchdog compares, and the session that holds the lock.
 * @returns null if the node or the database does not answer: this is not a fault of Ponder
 * @throws if the lock is lost: another indexer then writes this schema
 */
async function findSample(
  { sql, lock, ponder, isLocal }: SupervisorOptions,
  readHead: () => Promise<NodeHead>,
): Promise<(Sample & { session: string }) | null> {
  const answers = await Promise.allSettled([readHead(), findIndexedHead(sql, ponder.schema), lock.findSession()])
  const [head, indexedHead, session] = answers
  if (session.status === 'fulfilled' && session.value === null)
    throw new Error(`another indexer has taken over ${ponder.schema}`)
  if (head.status === 'rejected' || indexedHead.status === 'rejected' || indexedHead.value === null) return null
  if (session.status === 'rejected' || session.value === null) return null
  const isBelieved = isLocal || isHeadPlausible(head.value, indexedHead.value, BigInt(Math.floor(Date.now() / 1000)))
  // Without a head to compare with, the rows count as complete.
  const height = isBelieved ? head.value.number : indexedHead.value.blockNumber
  return { atMs: Date.now(), head: height, indexed: indexedHead.value.blockNumber, session: session.value }
}

/**
 * Finds out whether an outage prevents Ponder from running. Returns a description of the outage: of the database, of
 * the node, or of the database session on which Ponder's commits depend. Returns null if there is no outage.
 * @param session the database session on which the commits of the running Ponder depend; absent if Ponder has not
 * started
 * @throws if another indexer holds the lock
 */
async function findOutage(
  { sql, lock, ponder }: SupervisorOptions,
  readHead: () => Promise<NodeHead>,
  session?: string,
): Promise<string | null> {
  const [lockSession, head] = await Promise.allSettled([lock.findSession(), readHead()])
  if (lockSession.status === 'rejected') return `the database does not answer (${describeError(lockSession.reason)})`
  if (lockSession.value === null) throw new Error(`another indexer has taken over ${ponder.schema}`)
  if (head.status === 'rejected') return `the node does not answer (${describeError(head.reason)})`
  const fault = await findWriteFault(sql, ponder.schema)
  if (fault !== null) return `the database takes no writes (${fault})`
  return session === undefined || session === lockSession.value ? null : 'its session of the database ended'
}

/**
 * Tries a write. A server may be read-only after a failover, or have a full disk.
 * @returns the reason why the write failed; null if the write succeeded
 */
async function findWriteFault(sql: postgres.Sql, schema: string): Promise<string | null> {
  try {
    const [state] = await sql<{ isReadOnly: boolean; hasFence: boolean }[]>`
      SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly",
             to_regclass(${`${schema}._fence`}) IS NOT NULL AS "hasFence"`
    if (state?.isReadOnly === true) return 'it is read-only'
    if (state?.hasFence === true) await sql`UPDATE ${sql(schema)}._fence SET origin = origin`
    return null
  } catch (error) {
    return describeError(error)
  }
}

/**
 * Opens a new database session that holds the indexer's lock.
 * @returns the reason of a failure; null if the lock has a new session
 */
async function renewLock(lock: IndexerLock): Promise<string | null> {
  try {
    await lock.renew()
    return null
  } catch (error) {
    return `the database does not answer (${describeError(error)})`
  }
}

/** Creates a sleep function and a function that wakes the sleeper early. Only one caller may sleep at a time. */
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
