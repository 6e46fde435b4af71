import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { type ExecutionResult, execute } from 'graphql/index.js'
import type pg from 'pg'
import * as tables from '../../ponder.schema.ts'
import { DATA_VERSION } from '../db/data-version.ts'
import { describeMissingRows } from '../read-model/missing-rows.ts'
import { createExecutionQueue } from './execution-queue.ts'
import { toPublicFailure } from './failure.ts'
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
        const database = openDatabase(queries)
        const contextValue = createContext(database)
        const execution = async () => {
          await refuseWithoutRows(database)
          return execute({ schema, document, variableValues: variables, contextValue })
        }
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

/** @throws RequestError while rows are written, for the first time or again, or are of a newer release */
async function refuseWithoutRows(database: ReturnType<typeof openDatabase>): Promise<void> {
  const select = sql`select ready, block_number, recovers_to, oldest_version from indexed_head`
  const result = await database.execute<HeadRow>(select).catch((error: Error) => {
    const { code, message } = toPublicFailure(error.cause ?? error)
    // The fields would wait for the same connection; what else went wrong they tell themselves.
    if (code === 'DATABASE_UNAVAILABLE') throw new RequestError(code, message, { retryAfterSeconds: 2 })
    return null
  })
  const head = result?.rows[0]
  if (head === undefined || (head.ready && head.oldest_version <= DATA_VERSION)) return
  const reason = describeMissingRows({
    blockNumber: BigInt(head.block_number),
    recoversTo: head.recovers_to === null ? null : BigInt(head.recovers_to),
    oldestVersion: head.oldest_version,
  })
  throw new RequestError('INDEX_RECOVERING', `${reason} Send the request again.`, { retryAfterSeconds: 2 })
}

/** The indexed head as the driver returns it: whole numbers of eight bytes as text. */
interface HeadRow extends Record<string, unknown> {
  ready: boolean
  block_number: string
  recovers_to: string | null
  oldest_version: number
}

function rejectAtDeadline(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => {
      const advice = 'ask for fewer rows or fields, or filter and sort by an indexed column.'
      reject(new RequestError('TIMEOUT', `The request took longer than ${limits.requestMs} ms: ${advice}`))
    })
  })
}
