import { afterAll, beforeAll, expect, test } from 'vitest'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'

/** Connections that keep plans, of one test service. */
const CONNECTIONS = 4

let api: TestApi
beforeAll(async () => {
  api = await startTestApi()
})
afterAll(() => api.stop())

test('given a task is read again and again, then its statements are planned once a connection, not once a request', async () => {
  const { id } = await api.seed.task({ requester: anActor().address })
  for (let request = 0; request < 3 * CONNECTIONS; request += 1) {
    expect((await api.get(`/api/tasks/${id}`)).status).toBe(200)
  }
  // All at once: one on each connection.
  const plans = await Promise.all(Array.from({ length: CONNECTIONS }, countPlans))
  const total = (kind: 'kept' | 'made') => plans.reduce((sum, counts) => sum + counts[kind], 0)
  expect(total('made')).toBe(0)
  expect(total('kept')).toBeGreaterThanOrEqual(2 * CONNECTIONS)
})

/** Executions of the statements about a task in full on a connection: with its kept plan, and with one made for them. */
async function countPlans(): Promise<{ kept: number; made: number }> {
  const [counts] = await api.deps.sql.byKey<{ kept: number; made: number }[]>`
    select coalesce(sum(generic_plans), 0)::int as kept, coalesce(sum(custom_plans), 0)::int as made
    from pg_prepared_statements, pg_sleep(0.05)
    where statement ~ 'bonus_completion|primary_award'`
  return counts ?? { kept: 0, made: 0 }
}
