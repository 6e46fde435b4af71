import { drizzle } from 'drizzle-orm/node-postgres'
import { type ExecutionResult, execute } from 'graphql/index.js'
import type pg from 'pg'
import * as tables from '../../ponder.schema.ts'
import { createExecutionQueue } from './execution-queue.ts'
import { limits } from './limits.ts'
import type { MarketGraphql } from './market-graphql.ts'
import type { PreparedOperation } from './prepare-operation.ts'
import { RequestError } from './request-error.ts'
import { type ConnectionSource, createRequestQueries, type RequestQueries } from './request-queries.ts'

/** Executes an operation for a client. @throws RequestError when it is not executed, or not answered in time */
export type ExecuteOperation = (operation: PreparedOperation, client: string) => Promise<ExecutionResult>

/**
 * Executes operations on the pool, few at a time. The answer comes within `limits.requestMs`, even if a statement
 * hangs; the place of the request stays taken until its last statement has ended.
 */
export function createExecuteOperation(
  { schema, createContext }: MarketGraphql,
  pool: ConnectionSource,
): ExecuteOperation {
  const queue = createExecutionQueue()
  return async ({ document, variables }, client) => {
    const ended = new AbortController()
    const timer = setTimeout(() => ended.abort(), limits.requestMs)
    try {
      const leave = await queue.enter(client, ended.signal)
      const queries = createRequestQueries(pool, ended.signal)
      try {
        const contextValue = createContext(openDatabase(queries))
        const execution = async () => execute({ schema, document, variableValues: variables, contextValue })
        return await Promise.race([execution(), rejectAtDeadline(ended.signal)])
      } finally {
        // A field that fails can end the execution before the statements of other fields were sent.
        ended.abort()
        queries.finished().then(leave)
      }
    } finally {
      clearTimeout(timer)
    }
  }
}

function openDatabase(queries: RequestQueries) {
  // Outside of transactions drizzle calls nothing of a pool but `query`.
  return drizzle(queries as unknown as pg.Pool, { schema: tables, casing: 'snake_case' })
}

function rejectAtDeadline(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      const advice = 'ask for fewer rows or fields, or filter and sort by an indexed column.'
      reject(new RequestError('TIMEOUT', `The request took longer than ${limits.requestMs} ms: ${advice}`))
    })
  })
}
