import { expect, test } from 'vitest'
import type { Queryable } from '../../../api/db/client.ts'
import { anActor } from '../../support/actors.ts'
import { aStartedApi } from '../writes/started-api.ts'

/** Connections that keep plans, of one test service. */
const CONNECTIONS = 4

const api = aStartedApi()

test('given a task is read again and again, then its statements are planned once a connection, not once a request', async () => {
  const { id } = await api.seed.task({ requester: anActor().address })
  for (let request = 0; request < 3 * CONNECTIONS; request += 1) {
    expect((await api.get(`/api/tasks/${id}`)).status).toBe(200)
  }
  const { kept, made } = await countPlans('bonus_completion|primary_award')
  expect(made).toBe(0)
  expect(kept).toBeGreaterThanOrEqual(2 * CONNECTIONS)
})

test('given pages of all tasks that no answer is kept for, then their statement is planned once a connection', async () => {
  await api.seed.task({ requester: anActor().address })
  for (let request = 0; request < 3 * CONNECTIONS; request += 1) {
    expect((await api.get(`/api/tasks?asked=${request}`)).body.tasks.length).toBeGreaterThan(0)
  }
  const { kept, made } = await countPlans('string_agg.*row_version')
  expect(made).toBe(0)
  expect(kept).toBeGreaterThanOrEqual(3 * CONNECTIONS)
})

/** Executions of statements on the connections that keep plans: with a kept plan, and with one made for them. */
async function countPlans(statements: string): Promise<{ kept: number; made: number }> {
  const { byKey } = api.deps.sql
  const countOn = async (sql: Queryable) => {
    const [counts] = await sql<{ kept: number; made: number }[]>`
      select coalesce(sum(generic_plans), 0)::int as kept, coalesce(sum(custom_plans), 0)::int as made
      from pg_prepared_statements, pg_sleep(0.05)
      where statement ~ ${statements}`
    return counts ?? { kept: 0, made: 0 }
  }
  // All at once: one on each connection, those for transactions too.
  const ways = Array.from({ length: CONNECTIONS }, () => [countOn(byKey), byKey.begin(countOn)])
  const plans = await Promise.all(ways.flat())
  const total = (kind: 'kept' | 'made') => plans.reduce((sum, counts) => sum + counts[kind], 0)
  return { kept: total('kept'), made: total('made') }
}
