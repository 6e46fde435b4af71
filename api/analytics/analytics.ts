import { createClientSemaphore } from '../concurrency/client-semaphore.ts'
import { withTimeout } from '../concurrency/with-timeout.ts'
import { createQueryGate } from './query-gate.ts'
import type { ReaderDatabase, SessionWork } from './reader-session.ts'
import { createRefusalLines, type RefusalLines } from './refusal-lines.ts'
import { explainQuery, type Query, type QueryAnswer, runQuery, type Snapshot } from './run-query.ts'
import { createUnsentAnswers, type UnsentAnswers } from './unsent-answers.ts'
import { lengthOf } from './written-texts.ts'

/** A text is not run; `position` counts its characters from 1. */
export class QueryRefused extends Error {
  readonly position: number | null
  constructor(message: string, position: number | null) {
    super(message)
    this.name = 'QueryRefused'
    this.position = position
  }
}

/** The whole request took longer than it may. */
export class QueryTimeout extends Error {
  constructor(milliseconds: number) {
    super(`the query took longer than ${milliseconds} ms`)
    this.name = 'QueryTimeout'
  }
}

/** There is no login to read with. */
export class NoReader extends Error {}

/** Analysts' SQL: queries of strangers, each within the same bounds. */
export interface Analytics {
  /**
   * Runs a SELECT for a client, whose place is kept while its answer is written. The signal of `write` aborts at the
   * deadline of the query and with the query's own signal.
   * @throws QueryRefused, QueryTimeout, NoReader, UnsentRefused, ClientRefused, Overloaded, and what `runQuery` and
   * `write` throw
   */
  query<Written>(
    client: string,
    query: Query,
    write: (answer: QueryAnswer, signal: AbortSignal) => Promise<Written>,
  ): Promise<Written>
  /** The plan of a SELECT, likewise. */
  explain(client: string, query: Query): Promise<{ snapshot: Snapshot | null; plan: string }>
  /** Answers that are being sent. */
  unsent: UnsentAnswers
  /** Refusals that the log names. */
  refusals: RefusalLines
  /** Ends the parser's thread; queries that run end at their deadline. */
  stop(): Promise<void>
}

/** How long an answer waits for its session to close, milliseconds. */
const CLOSING_MS = 100
/** How long a cancelled query takes at most to end, unless PostgreSQL cannot interrupt it, milliseconds. */
const CANCEL_MS = 500

/** What one query may take (docs/analytics.md). */
export const queryLimits = {
  maxRows: 10_000,
  /** Bytes that PostgreSQL sends. */
  maxBytes: 16 * 1024 * 1024,
  /** Of a plan: it is parsed and written at once. */
  maxPlanBytes: 1024 * 1024,
  /** Of the answers that all clients, and that one client, have yet to take; and the time that a client has for one. */
  maxUnsentBytes: 64 * 1024 * 1024,
  maxUnsentBytesOfClient: 16 * 1024 * 1024,
  maxSendingMs: 60_000,
  /** Of one process; the reader's login has a connection for each, and for those that do not end. */
  atOnce: 2,
  /** Queries that the server cannot end: they count for their client only. */
  maxOverdue: 2,
  maxWaiting: 16,
  maxWaitingOfClient: 4,
} as const

export interface AnalyticsOptions {
  /** The database on the login that only reads; absent: every query is refused. */
  readerUrl: string | undefined
  schema: string
  /** From the moment a request is read until its answer is written, waiting for a place included, milliseconds. */
  deadlineMs: number
}

export function createAnalytics({ readerUrl, schema, deadlineMs }: AnalyticsOptions): Analytics {
  const gate = createQueryGate(schema)
  const semaphore = createClientSemaphore(queryLimits)

  const unsent = createUnsentAnswers({
    maxBytes: queryLimits.maxUnsentBytes,
    maxBytesOfClient: queryLimits.maxUnsentBytesOfClient,
    maxMs: queryLimits.maxSendingMs,
  })

  const bounded = async <Result, Written>(
    client: string,
    query: Query,
    { read, write }: Work<Result, Written>,
  ): Promise<Written> => {
    if (readerUrl === undefined) throw new NoReader()
    unsent.requireRoom(client)
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(new QueryTimeout(deadlineMs)), deadlineMs)
    const signal = query.signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, query.signal])
    try {
      await untilAborted(() => admit(query, signal), signal)
      const leave = await semaphore.enter(client, signal)
      const { result, closed } = startOrLeave(() => {
        // The queries of this client that were before it in the queue have their answers now.
        unsent.requireRoom(client)
        return read({ url: readerUrl, schema }, signal)
      }, leave)
      const written = result.then((value) => write(value, signal))
      // The place is free when the answer is written and the server has ended the session, however long that takes.
      const ended = Promise.allSettled([closed, written]).then(() => {
        leave()
        return 'ended'
      })
      signal.addEventListener('abort', async () => {
        if ((await withTimeout(ended, CANCEL_MS)) === null) semaphore.markOverdue(client)
      })
      const answer = await written
      // As a rule it is closed in a moment, and the client's next query need not wait for its place.
      await withTimeout(ended, CLOSING_MS)
      return answer
    } finally {
      clearTimeout(timer)
    }
  }

  const admit = async ({ text, parameters }: Query, signal: AbortSignal): Promise<void> => {
    const verdict = await gate.check(text, signal)
    if ('message' in verdict) throw new QueryRefused(verdict.message, verdict.position)
    if (verdict.parameterCount !== parameters.length) {
      const has = `The query names ${verdict.parameterCount} parameters`
      throw new QueryRefused(`${has}, and params has ${parameters.length}.`, null)
    }
    const tooLong = verdict.patterns.find(({ text, maxLength }) => lengthOf(text, parameters) > maxLength)
    if (tooLong !== undefined) {
      const { text, maxLength } = tooLong
      const names = [...new Set(text.parameters)].map((number) => `$${number}`).join(', ')
      throw new QueryRefused(`A pattern made of ${names} may have at most ${maxLength} characters.`, null)
    }
  }

  return {
    query: (client, query, write) => {
      const { maxBytes, maxRows } = queryLimits
      return bounded(client, query, {
        read: (database, signal) => runQuery(database, query, { signal, maxBytes, maxRows }),
        write,
      })
    },
    explain: (client, query) =>
      bounded(client, query, {
        read: (database, signal) => explainQuery(database, query, { signal, maxBytes: queryLimits.maxPlanBytes }),
        write: async (plan) => plan,
      }),
    unsent,
    refusals: createRefusalLines(),
    stop: gate.stop,
  }
}

/** What is done for a query that has a place: the database is read, then the answer is written. */
interface Work<Result, Written> {
  read: (database: ReaderDatabase, signal: AbortSignal) => SessionWork<Result>
  write: (result: Result, signal: AbortSignal) => Promise<Written>
}

/**
 * The result of the work, or a rejection with the signal's reason when that aborts first; then the work goes on by
 * itself.
 */
async function untilAborted<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  signal.throwIfAborted()
  let onAbort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason)
    signal.addEventListener('abort', onAbort)
  })
  try {
    return await Promise.race([work(), aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** Starts the work, which ends the turn later; one that does not even start ends it now. */
function startOrLeave<Work>(start: () => Work, endTurn: () => void): Work {
  try {
    return start()
  } catch (error) {
    endTurn()
    throw error
  }
}
