import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { analyticsViews } from '../../../api/db/analytics/views.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { costOf } from '../db/statement-cost.ts'
import { fillMarket, TASKS } from './filled-market.ts'

/** They count all wallets, whatever is asked of them. */
const wholeViews = ['requester_cohort', 'worker_cohort']
/** Views over single tables of the indexer: the ledger is read by its accounts and tasks, and days are few. */
const views = analyticsViews.filter(({ name }) => !/^(ledger|daily_.*)$/.test(name) && !wholeViews.includes(name))

let api: TestApi

beforeAll(async () => {
  api = await startTestApi()
  await fillMarket(api.sql)
})

afterAll(() => api.stop())

describe('given a market with many rows', () => {
  test.each(views)('when ten rows of $name are read, then no table is read as a whole', async ({ name }) => {
    const { rows } = await costOf(api.sql, api.sql`select * from ${api.sql(`analytics.${name}`)} limit 10`)
    expect(rows).toBeLessThan(TASKS / 2)
  })

  test.each(views.filter(({ key }) => key !== null))(
    'when a row of $name is read by its $key, then few others are',
    async ({ name, key }) => {
      const view = api.sql(`analytics.${name}`)
      const column = api.sql(key ?? '')
      const [row] = await api.sql<Record<string, string>[]>`select ${column}::text as key from ${view} limit 1`
      const value = row?.key ?? expect.fail(`${name} has no row`)
      const { rows } = await costOf(api.sql, api.sql`select * from ${view} where ${column} = ${value}`)
      expect(rows).toBeLessThan(TASKS / 2)
    },
  )

  test.each([
    ['task', 'requester'],
    ['task', 'worker'],
    ['event', 'task_id'],
    ['event', 'subject'],
    ['entry', 'task_id'],
    ['entry', 'worker'],
    ['award', 'worker'],
    ['submission', 'task_id'],
    ['submission', 'worker'],
    ['relay', 'actor'],
    ['vault_claim', 'worker'],
    ['worker_earning', 'worker'],
  ])('when rows of %s are read by their %s, then few others are', async (name, column) => {
    const view = api.sql(`analytics.${name}`)
    const value = column === 'task_id' ? 'task5' : '0x5'
    const { rows } = await costOf(api.sql, api.sql`select * from ${view} where ${api.sql(column)} = ${value}`)
    expect(rows).toBeGreaterThan(0)
    expect(rows).toBeLessThan(TASKS / 2)
  })

  test('when the newest tasks are read, or events of a kind, then an index gives them', async () => {
    const newest = await costOf(api.sql, api.sql`select * from analytics.task order by created_at_ms desc limit 10`)
    expect(newest.rows).toBeLessThan(TASKS / 2)
    const kind = await costOf(api.sql, api.sql`select id from analytics.event where kind = 'stake_returned'`)
    expect(kind.whole).not.toContain('task_event')
  })

  test('when tasks are counted, then neither texts nor events are read', async () => {
    const { whole, rows } = await costOf(api.sql, api.sql`select count(*) from analytics.task where mode <> ''`)
    expect(whole).toEqual(['task'])
    expect(rows).toBe(TASKS)
  })

  test.each(wholeViews)('when %s is read, then it is answered in a moment', async (name) => {
    const { rows } = await costOf(api.sql, api.sql`select * from ${api.sql(`analytics.${name}`)}`)
    expect(rows).toBeLessThan(25 * TASKS)
  })
})
