import { setImmediate as nextTurn } from 'node:timers/promises'
import { ClientRefused, createClientSemaphore } from '../concurrency/client-semaphore.ts'
import type { AnswerType } from './answer-file.ts'
import { createAnswerStore, type StoredAnswer } from './answer-store.ts'
import {
  createEngine,
  type Engine,
  type EngineRun,
  type EngineTask,
  type Plan,
  type Query,
  type WrittenAnswer,
} from './engine.ts'
import { type FailureKind, QueryFailed } from './query-failure.ts'
import { noReader } from './reader-session.ts'

const MEGABYTE = 1024 * 1024

/** The limits of a query and its answer (docs/build/analytics.md). */
export const queryLimits = {
  page: { pageRows: 10_000, pageBytes: 16 * MEGABYTE, maxRows: 1_000_000, maxBytes: 256 * MEGABYTE },
  /** The most bytes that the database server may send for one part of an answer. */
  maxPartBytes: 32 * MEGABYTE,
  /** The largest size of a query plan in bytes. A plan is parsed and sent as a whole. */
  maxPlanBytes: MEGABYTE,
  kept: {
    keptMs: 600_000,
    takenMs: 60_000,
    maxOfClient: 64,
    maxBytesOfClient: 256 * MEGABYTE,
    max: 512,
    maxBytes: 1024 * MEGABYTE,
  },
  turns: {
    /**
     * The number of queries that one process runs at the same time. The database login must allow connections for
     * `atOnce` plus `maxOverdue` queries.
     */
    atOnce: 2,
    /**
     * The largest number of overdue queries. A query is overdue if its client no longer waits for the result, but the
     * query still runs. For each overdue query, a query of another client may run in addition to `atOnce`.
     */
    maxOverdue: 2,
    maxWaiting: 16,
    maxWaitingOfClient: 4,
  },
} as const

/** The SQL service for analysts. Queries are untrusted, and the same limits apply to each. */
export interface Analytics {
  /**
   * Runs a SELECT and stores the answer. The pages of the answer can be read for ten minutes.
   * @param signal aborts when the client disconnects
   * @throws QueryFailed; the signal's reason if the signal aborts
   */
  query(
    client: string,
    query: Query,
    options: { type: AnswerType; note: string | undefined; signal?: AbortSignal | undefined },
  ): Promise<StoredAnswer>
  /** Returns the plan of a SELECT. The limits of queries apply. */
  explain(client: string, query: Query, signal?: AbortSignal): Promise<Plan>
  /** Returns a stored answer. Null if the id is unknown or the answer has expired. */
  findAnswer(id: string): StoredAnswer | null
  /** Ends the engine processes and closes the stored files. */
  stop(): Promise<void>
}

export interface AnalyticsOptions {
  /** The database URL of a standby server, with the read-only login. If absent, every query is refused. */
  readerUrl: string | undefined
  schema: string
  /** The time limit of a query in milliseconds, from the start to the complete answer. */
  deadlineMs: number
  metrics: {
    queryAnswered(query: { outcome: QueryOutcome; seconds: number }): void
    enginesCounted(engines: { busy: number; idle: number }): void
  }
}

/** The outcome of a query. `cut_off` means that the client disconnected. */
export type QueryOutcome = 'ok' | FailureKind | 'cut_off'

export function createAnalytics({ readerUrl, schema, deadlineMs, metrics }: AnalyticsOptions): Analytics {
  const { turns, kept, page, maxPartBytes, maxPlanBytes } = queryLimits
  const semaphore = createClientSemaphore(turns)
  const answers = createAnswerStore(kept)
  const engines = new Set<Engine>()
  const idleEngines: Engine[] = []
  const countEngines = () =>
    metrics.enginesCounted({ busy: engines.size - idleEngines.length, idle: idleEngines.length })
  countEngines()

  const measure = async <Answer>(answer: () => Promise<Answer>): Promise<Answer> => {
    const start = performance.now()
    let outcome: QueryOutcome = 'cut_off'
    try {
      const result = await answer()
      outcome = 'ok'
      return result
    } catch (error) {
      if (error instanceof QueryFailed) outcome = error.kind
      throw error
    } finally {
      metrics.queryAnswered({ outcome, seconds: (performance.now() - start) / 1000 })
    }
  }

  /**
   * Waits until the client may run a query.
   * @returns a function that runs one query of the client in an engine process. Call the function exactly once. When
   * the query has ended, the next waiting query may run.
   */
  const enter = async (client: string, signal: AbortSignal | undefined) => {
    if (readerUrl === undefined) throw noReader()
    const leave = await semaphore.enter(client, AbortSignal.timeout(deadlineMs)).catch((error: unknown) => {
      throw error instanceof ClientRefused ? noTurn(error) : error
    })
    if (signal?.aborted) {
      leave()
      throw signal.reason
    }
    return (task: Pick<EngineTask, 'query' | 'maxBytes' | 'answer'>): EngineRun => {
      const engine = idleEngines.pop() ?? createEngine()
      engines.add(engine)
      countEngines()
      const run = engine.run({ ...task, database: { url: readerUrl, schema }, deadlineMs }, signal)
      let hasEnded = false
      void run.ended.then(() => {
        hasEnded = true
        if (idleEngines.length < turns.atOnce) idleEngines.push(engine)
        else {
          engines.delete(engine)
          void engine.stop()
        }
        countEngines()
        leave()
      })
      run.result.catch(async () => {
        // Usually the run has ended by then. Otherwise other clients may use its slot, and its own client must wait.
        await nextTurn()
        if (!hasEnded) semaphore.markOverdue(client)
      })
      return run
    }
  }

  const answer: Analytics['query'] = async (client, query, { type, note, signal }) => {
    const start = await enter(client, signal)
    const file = answers.open()
    const { result, ended } = start({
      query,
      maxBytes: maxPartBytes,
      answer: { path: file.path, type, limits: page },
    })
    try {
      return answers.keep(client, file.fd, (await result) as WrittenAnswer, { type, note })
    } catch (error) {
      // The engine may still open the file until its run has ended.
      void ended.then(() => answers.discard(file))
      throw error
    }
  }

  return {
    query: (client, query, options) => measure(() => answer(client, query, options)),
    explain: (client, query, signal) =>
      measure(async () => {
        const start = await enter(client, signal)
        return (await start({ query, maxBytes: maxPlanBytes }).result) as Plan
      }),
    findAnswer: answers.find,
    stop: async () => {
      answers.stop()
      await Promise.all([...engines].map((engine) => engine.stop()))
    },
  }
}

function noTurn({ refusal }: ClientRefused): QueryFailed {
  const { maxWaitingOfClient } = queryLimits.turns
  switch (refusal) {
    case 'client_waiting':
      return new QueryFailed({
        kind: 'busy',
        message: `${maxWaitingOfClient} queries of this address wait already, and one runs at a time: send them one by one.`,
      })
    case 'client_executing':
      return new QueryFailed({
        kind: 'busy',
        message:
          'An earlier query of this address still runs on the server, and one runs at a time: try again when it has ended.',
      })
    default:
      return new QueryFailed({ kind: 'unavailable', message: 'Other queries have every place now; try again shortly.' })
  }
}
