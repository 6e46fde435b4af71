import { execute, type GraphQLError, type GraphQLSchema } from 'graphql/index.js'
import type pg from 'pg'
import type { Logger } from 'pino'
import { type ClientRefusal, ClientRefused, createClientSemaphore } from '../api/concurrency/client-semaphore.ts'
import { toAnswerJson } from './answer-json.ts'
import type { PreparedOperation } from './bounds.ts'
import { describeFailure, toRequestError } from './failure.ts'
import { limits } from './limits.ts'
import { RequestError } from './request-error.ts'
import type { ReadContext } from './schema/read-context.ts'
import { openSession, type Session } from './session.ts'

/**
 * Executes an operation for a client and returns the JSON of the answer. @throws RequestError if the operation fails
 */
export type ExecuteOperation = (operation: PreparedOperation, client: string) => Promise<string>

interface Deps {
  schema: GraphQLSchema
  chain: ReadContext['chain']
  pool: Pick<pg.Pool, 'connect'>
  log: Logger
}

/**
 * Creates the function that executes operations. At most `limits.executing` operations run at a time. Each operation
 * runs in one transaction, so all fields of an answer show the same state of the database. The client gets an answer or
 * an error within `limits.requestMs`, even if a statement takes longer. An operation counts as running until its last
 * statement has ended.
 */
export function createExecuteOperation({ schema, chain, pool, log }: Deps): ExecuteOperation {
  const turns = createClientSemaphore({
    atOnce: limits.executing,
    maxWaiting: limits.waiting,
    maxWaitingOfClient: limits.waitingPerClient,
  })

  async function answer({ document, operationName, variables }: PreparedOperation, session: Session): Promise<string> {
    const head = await session.begin()
    const contextValue: ReadContext = { head, chain, query: session.query, batches: new Map() }
    const { data, errors } = await execute({ schema, document, operationName, variableValues: variables, contextValue })
    // A failed statement ends the transaction: the first error causes the others.
    if (errors?.[0] !== undefined) throw errors[0]
    return toAnswerJson(data)
  }

  return async (operation, client) => {
    const endController = new AbortController()
    const end = () => endController.abort(new RequestError('TIMEOUT', LATE))
    const timer = setTimeout(end, limits.requestMs)
    try {
      const leave = await turns.enter(client, endController.signal)
      const session = openSession(pool, endController.signal)
      const finish = () => {
        end()
        return session.end().then(leave)
      }
      let body: string
      try {
        body = await Promise.race([answer(operation, session), rejectAtEnd(endController.signal)])
      } catch (error) {
        // Its statement may continue for a while; it frees the place at its end.
        void finish()
        throw error
      }
      // A client may send the next request right after its answer, so the place must be free by then.
      await finish()
      return body
    } catch (error) {
      throw logged(log, error)
    } finally {
      clearTimeout(timer)
    }
  }
}

const LATE = `The request took longer than ${limits.requestMs} ms: ask for fewer rows or fields, or filter and sort by an indexed column.`

function rejectAtEnd(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
  })
}

/** Converts an error to the error for the client. Logs it, unless the client caused it. */
function logged(log: Logger, error: unknown): RequestError {
  if (error instanceof ClientRefused) return refusals[error.refusal]()
  const { originalError, locations, path } = error as Partial<GraphQLError>
  const cause = originalError ?? error
  const failure = toRequestError(cause, { locations, path })
  if (!(cause instanceof RequestError) && failure.code !== 'BAD_USER_INPUT') {
    const level = failure.code === 'INTERNAL_SERVER_ERROR' ? 'error' : 'warn'
    log[level]({ code: failure.code, failure: describeFailure(cause) }, 'query failed')
  }
  return failure
}

const toOverload = (reason: string) => () =>
  new RequestError('OVERLOADED', `${reason}; try again shortly.`, { 'Retry-After': '1' })

const refusals: Record<ClientRefusal, () => RequestError> = {
  client_waiting: () =>
    new RequestError(
      'RATE_LIMITED',
      `${limits.waitingPerClient} requests of this address wait already, and one executes at a time: send them one by one.`,
      { 'Retry-After': '1' },
    ),
  all_waiting: toOverload('Too many requests wait for execution'),
  client_executing: toOverload('An earlier request of this address still executes, and one executes at a time'),
  deadline: toOverload('The request waited too long for execution'),
}
