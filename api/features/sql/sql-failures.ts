import { DatabaseError } from 'pg'
import { NoReader, QueryRefused, QueryTimeout, queryLimits } from '../../analytics/analytics.ts'
import { AnswerTooLarge } from '../../analytics/reader-session.ts'
import {
  BadColumns,
  cursorPrefix,
  explainPrefix,
  MAX_VALUE_LENGTH,
  ReadModelMissing,
  TooManyRows,
  UnsafeReader,
  ValueTooLarge,
} from '../../analytics/run-query.ts'
import { UnsentRefused } from '../../analytics/unsent-answers.ts'
import { ClientRefused } from '../../concurrency/client-semaphore.ts'

import { Overloaded } from '../../concurrency/semaphore.ts'
import { ServiceError } from '../../errors/service-error.ts'

const HOW_TO_PREPARE = 'the operator finds what to run in docs/operations.md, "Database logins"'

/** Classes of SQL states that are about the query: syntax and names, data, cardinality, what is not supported. */
const ABOUT_THE_QUERY = /^(42|22|21|0A|2F|3F|54)/
/** Memory, temporary files, disk: it took more than a query may have. */
const TOO_MUCH = /^(53100|53200|53400)$/
const MAX_MESSAGE_LENGTH = 300
const MEGABYTE = 1024 * 1024

/** What was asked of the server. */
interface Asked {
  /** Characters that stood before the text, by which the server's positions are too high. */
  prefixLength: number
  /** How long the query might take, milliseconds. */
  deadlineMs: number
}

/**
 * What a query's failure means to the client: 400 with the place in the text where one is known, 503 where another try
 * can help. Nothing of the server (paths, settings, other sessions) is in it.
 */
export function toSqlFailure(thrown: unknown, asked: Asked): unknown {
  if (thrown instanceof QueryRefused) return refused(thrown.message, thrown.position)
  if (thrown instanceof QueryTimeout) return timedOut(asked)
  if (thrown instanceof TooManyRows) {
    return refused(
      `The answer has more than ${queryLimits.maxRows} rows: add LIMIT ${queryLimits.maxRows}, or ask for it in parts by a key (WHERE id > ... ORDER BY id LIMIT ...).`,
    )
  }
  if (thrown instanceof AnswerTooLarge) {
    const megabytes = thrown.maxBytes / MEGABYTE
    return refused(`The answer has more than ${megabytes} MB: ask for fewer columns or rows.`)
  }
  if (thrown instanceof ValueTooLarge) {
    return refused(`The answer has a value of more than ${MAX_VALUE_LENGTH} characters: ask for a part of it.`)
  }
  if (thrown instanceof BadColumns) return refused(thrown.message)
  if (thrown instanceof NoReader) return unavailable(`This service has no login for analysts' SQL: ${HOW_TO_PREPARE}.`)
  if (thrown instanceof UnsafeReader) {
    return unavailable(`The login for analysts' SQL is not safe to use (${thrown.message}): ${HOW_TO_PREPARE}.`, thrown)
  }
  if (thrown instanceof ReadModelMissing)
    return unavailable('The read model cannot be read now; try again shortly.', thrown)
  if (thrown instanceof UnsentRefused) return tooManyUnsent(thrown)
  if (thrown instanceof ClientRefused) return noTurn(thrown)
  if (thrown instanceof Overloaded) return unavailable(`${thrown.fact}; try again shortly.`, thrown)
  if (thrown instanceof DatabaseError) return fromServer(thrown, asked)
  if (isAbort(thrown)) return clientGone(thrown)
  if (thrown instanceof Error && isOfConnection(thrown)) {
    return unavailable('The read model cannot be reached now; try again shortly.', thrown)
  }
  return thrown
}

export const sqlPrefixLengths = { query: cursorPrefix.length, explain: explainPrefix.length } as const

function fromServer(error: DatabaseError, asked: Asked): ServiceError {
  const code = error.code ?? ''
  if (code === '57014' || code === '25P04') return timedOut(asked)
  if (code === '55P03') return refused('The query waited too long for a table that is being replaced; send it again.')
  if (code === '54001' && error.message.startsWith('stack depth')) {
    return refused('The query is nested too deeply; write it in fewer levels.')
  }
  if (TOO_MUCH.test(code)) return refused('The query takes more memory or temporary space than a query may have.')
  if (code === '42501')
    return refused('The query reads or calls what a reader may not; docs/tables.md lists the tables.')
  if (!ABOUT_THE_QUERY.test(code)) {
    // Shutdown, too many connections, a wrong password, an internal error: nothing for the client to mend.
    return unavailable('The query could not be run now; try again shortly.', error)
  }
  const place = error.position === undefined ? null : Number(error.position) - asked.prefixLength
  const hint = error.hint === undefined ? '' : ` ${error.hint}`
  return refused(`${sentence(error.message)}${hint}`, place !== null && place > 0 ? place : null)
}

function timedOut({ deadlineMs }: Asked): ServiceError {
  const seconds = deadlineMs / 1000
  return refused(
    `The query was stopped after ${seconds} s: narrow it (WHERE on an indexed column, LIMIT, fewer joins); POST /api/sql/explain shows its plan.`,
  )
}

function refused(message: string, position: number | null = null): ServiceError {
  const safe = printable(message)
  const place = position === null ? '' : ` (character ${position})`
  return new ServiceError(400, 'unclassified', `query: ${safe}${place}`, {
    issues: [{ path: 'query', message: safe, ...(position !== null && { position }) }],
  })
}

function unavailable(message: string, cause?: unknown): ServiceError {
  return new ServiceError(503, 'unclassified', message, { headers: { 'Retry-After': '2' }, isRefusal: true, cause })
}

/** The answer has no reader; the status says that no part of the service failed. */
function clientGone(cause: unknown): ServiceError {
  return new ServiceError(400, 'unclassified', 'The client closed the connection before its answer.', { cause })
}

/** Whether it is the reason of a request's signal: the HTTP adapter gives a text where its connection is gone. */
function isAbort(thrown: unknown): boolean {
  return typeof thrown === 'string' || (thrown instanceof Error && thrown.name === 'AbortError')
}

function noTurn({ refusal }: ClientRefused): ServiceError {
  if (refusal === 'client_waiting') {
    const { maxWaitingOfClient } = queryLimits
    return ofThisClient(
      `${maxWaitingOfClient} queries of this address wait already, and one runs at a time: send them one by one.`,
    )
  }
  if (refusal === 'client_executing') {
    return ofThisClient(
      'An earlier query of this address still runs on the server, and one runs at a time: try again when it has ended.',
    )
  }
  return unavailable('Other queries have every place now; try again shortly.')
}

function tooManyUnsent({ refusal }: UnsentRefused): ServiceError {
  if (refusal === 'all') return unavailable('Clients have yet to take too many answers; try again shortly.')
  const megabytes = queryLimits.maxUnsentBytesOfClient / MEGABYTE
  return ofThisClient(
    `This address has yet to take earlier answers, and may have ${megabytes} MB of them: read them or close their connections, then ask again.`,
  )
}

/** Other clients are served meanwhile. */
function ofThisClient(message: string): ServiceError {
  return new ServiceError(429, 'unclassified', message, { headers: { 'Retry-After': '1' } })
}

function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
}

/** The server repeats words of the query: neither controls nor bidirectional marks of them reach a terminal. */
function printable(message: string): string {
  return message.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '?').slice(0, MAX_MESSAGE_LENGTH)
}

function isOfConnection(error: Error): boolean {
  if (/^(Connection terminated|timeout expired)/.test(error.message)) return true
  return 'code' in error && /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/.test(String(error.code))
}
