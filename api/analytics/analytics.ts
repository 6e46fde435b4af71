import { createClientTurns } from '../client-turns.ts'
import { within } from '../within.ts'
import { createQueryGate } from './query-gate.ts'
import type { SessionLimits, SessionWork } from './reader-session.ts'
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
   * Runs a SELECT for a client.
   * @throws QueryRefused, QueryTimeout, NoReader, TurnRefused, TooBusy, and what `runQuery` throws
   */
  query(client: string, query: Query): Promise<QueryAnswer>
  /** The plan of a SELECT, likewise. */
  explain(client: string, query: Query): Promise<{ snapshot: Snapshot | null; plan: string }>
  /** Answers on their way. */
  unsent: UnsentAnswers
  /** Ends the parser's thread; queries that run end at their deadline. */
  stop(): Promise<void>
}

/** How long an answer waits for its session to close, milliseconds. */
const CLOSING_MS = 100

/** What one query may take (docs/analytics.md). */
export const queryLimits = {
  /** From the moment the request is read, waiting for a place included, milliseconds. */
  deadlineMs: 5_000,
  maxRows: 10_000,
  /** Bytes that PostgreSQL sends. */
  maxBytes: 16 * 1024 * 1024,
  /** Of all answers together that clients have yet to take, and the time that a client has for one. */
  maxUnsentBytes: 64 * 1024 * 1024,
  maxSendingMs: 60_000,
  /** Of one process; the reader's login has two connections for each. */
  atOnce: 2,
  maxWaiting: 16,
  maxWaitingOfClient: 4,
} as const

/** @param readerUrl the database on the login that only reads; absent: every query is refused */
export function createAnalytics({ readerUrl, schema }: { readerUrl: string | undefined; schema: string }): Analytics {
  const gate = createQueryGate(schema)
  const turns = createClientTurns(queryLimits)

  const bounded = async <Result>(
    client: string,
    query: Query,
    work: (database: { url: string; schema: string }, limits: SessionLimits) => SessionWork<Result>,
  ): Promise<Result> => {
    if (readerUrl === undefined) throw new NoReader()
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(new QueryTimeout(queryLimits.deadlineMs)), queryLimits.deadlineMs)
    try {
      await admit(query)
      const signal = query.signal === undefined ? deadline.signal : AbortSignal.any([deadline.signal, query.signal])
      const endTurn = await turns.enter(client, signal)
      const { result, closed } = startOrLeave(
        () => work({ url: readerUrl, schema }, { signal, maxBytes: queryLimits.maxBytes }),
        endTurn,
      )
      // The place is free when the server has ended the session, however long that takes after the answer.
      void closed.then(endTurn)
      const value = await result
      // As a rule it is closed in a moment, and the client's next query need not wait for its place.
      await within(closed, CLOSING_MS)
      return value
    } finally {
      clearTimeout(timer)
    }
  }

  const admit = async ({ text, parameters }: Query): Promise<void> => {
    const verdict = await gate.judge(text)
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
    query: (client, query) =>
      bounded(client, query, (database, limits) =>
        runQuery(database, query, { ...limits, maxRows: queryLimits.maxRows }),
      ),
    explain: (client, query) => bounded(client, query, (database, limits) => explainQuery(database, query, limits)),
    unsent: createUnsentAnswers({ maxBytes: queryLimits.maxUnsentBytes, maxMs: queryLimits.maxSendingMs }),
    stop: gate.stop,
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
