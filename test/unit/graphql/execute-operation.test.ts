import type pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { createExecuteOperation } from '../../../api/graphql/execute-operation.ts'
import { buildMarketGraphql, type MarketGraphql } from '../../../api/graphql/market-graphql.ts'
import { prepareOperation } from '../../../api/graphql/prepare-operation.ts'
import type { ConnectionSource } from '../../../api/graphql/request-queries.ts'

let market: MarketGraphql
beforeAll(async () => {
  market = await buildMarketGraphql()
})

/** A statement that a connection was given, without an answer yet. */
interface OpenStatement {
  table: string
  /** With no rows. */
  answer: () => void
  fail: (error: Error) => void
}

/** Resolves after all promises that are due. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

/** Connections whose statements the test answers, but the look at the head that each request begins with. */
function aDatabase() {
  const open: OpenStatement[] = []
  const released: boolean[] = []
  const begin = (text: string) =>
    new Promise((resolve, reject) => {
      const settle = () => open.splice(open.indexOf(statement), 1)
      const statement: OpenStatement = {
        table: /from "(\w+)"/.exec(text)?.[1] ?? '',
        answer: () => {
          settle()
          resolve({ rows: [] })
        },
        fail: (error) => {
          settle()
          reject(error)
        },
      }
      open.push(statement)
    })
  const connect = async () => {
    let isLook = false
    return {
      query: async ({ text }: pg.QueryConfig) => {
        isLook = text.includes('from indexed_head')
        return isLook ? { rows: [{ ready: true, oldest_version: 1 }] } : await begin(text)
      },
      release: (destroy: boolean) => !isLook && released.push(destroy),
    }
  }
  const tables = () => open.map(({ table }) => table)
  return { open, tables, released, pool: { connect } as unknown as ConnectionSource }
}

/** A list without its total: one statement. */
const list = (...fields: string[]) => {
  const query = `{ ${fields.map((field) => `${field} { items { id } }`).join(' ')} }`
  return prepareOperation(market.schema, { query, variables: {}, operationName: null })
}
const empty = { items: [] }

describe('the execution of operations', () => {
  test('given a request of three statements, two are in progress at a time', async () => {
    const { pool, open, tables } = aDatabase()
    const answer = createExecuteOperation(market, pool)(list('tasks', 'bids', 'claims'), 'a')
    await expect.poll(tables).toEqual(['task', 'bid'])
    open[0]?.answer()
    await expect.poll(tables).toEqual(['bid', 'claim'])
    open[0]?.answer()
    open[0]?.answer()
    expect(await answer).toEqual({ data: { tasks: empty, bids: empty, claims: empty } })
  })

  test('given statements that hang, the answer is TIMEOUT, no other begins, and their end frees the place', async () => {
    const { pool, open, tables, released } = aDatabase()
    const execute = createExecuteOperation(market, pool)
    const hanging = ['a', 'b'].map((client) => execute(list('tasks', 'bids', 'claims'), client))
    const results = await Promise.allSettled(hanging)
    expect(results).toMatchObject([{ reason: { code: 'TIMEOUT' } }, { reason: { code: 'TIMEOUT' } }])
    const begun = ['task', 'bid', 'task', 'bid']
    expect(tables().sort()).toEqual(begun.sort())

    const next = execute(list('pitchs'), 'c')
    await settle()
    expect(tables().sort()).toEqual(begun.sort())
    for (const statement of open.slice()) statement.fail(new Error('Query read timeout'))
    await expect.poll(tables).toEqual(['pitch'])
    // A statement without an answer may still be on its connection.
    expect(released).toEqual([true, true, true, true])
    open[0]?.answer()
    expect(await next).toEqual({ data: { pitchs: empty } })
    expect(released.at(-1)).toBe(false)
  })

  test('given a field that fails, the others end without beginning a statement, and then the next request executes', async () => {
    const { pool, open, tables } = aDatabase()
    const execute = createExecuteOperation(market, pool)
    const answer = execute(list('tasks', 'bids', 'claims'), 'a')
    await expect.poll(tables).toEqual(['task', 'bid'])
    const next = execute(list('pitchs'), 'a')
    open[0]?.fail(new Error('it failed'))
    expect(await answer).toMatchObject({ data: null, errors: [{ path: ['tasks'] }] })
    await settle()
    // The slot of the failed statement is not used by a request that has its answer.
    expect(tables().filter((table) => table !== 'claim')).toEqual(['bid'])
    for (const statement of open.slice()) statement.answer()
    await expect.poll(tables).toEqual(['pitch'])
    open[0]?.answer()
    expect(await next).toEqual({ data: { pitchs: empty } })
  })
})
