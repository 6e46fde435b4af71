import { afterAll, beforeAll, expect, it } from 'vitest'
import { deferRefund } from '../../../api/intents/refunds.queries.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { agreeToEverything, aPaidCreate } from './fake-payments.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ WRITE_ANSWER_MS: '150' })
  agreeToEverything(api)
})
afterAll(() => api.stop())

it.each([
  ['just now', 0, 5],
  ['for a minute', 60, 15],
  ['for a week', 604_800, 3_600],
])(
  'given a refund is owed %s and cannot be made, then it rests longer the longer it is owed',
  async (_, owed, rest) => {
    const create = aPaidCreate(api)
    await create.roundTwo()
    const [intent] = await api.sql<{ id: string }[]>`
    update intents set status = 'failed', refund_status = 'pending' where idempotency_key = ${create.key} returning id`
    const id = intent?.id ?? ''
    await api.sql`update intents set status_at = now() - make_interval(secs => ${owed}) where id = ${id}`
    await deferRefund(api.sql, id)
    const [row] = await api.sql<{ seconds: number }[]>`
    select extract(epoch from relay_after - now())::float8 as seconds from intents where id = ${id}`
    expect(row?.seconds).toBeGreaterThan(rest - 2)
    expect(row?.seconds).toBeLessThan(rest + 1)
  },
)
