import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { countWrite, returnUnit } from '../../../api/writes/count-write.ts'
import { anOpenWrite } from '../../api/writes/open-write.ts'

/** Units of the rate limit that a request of a write leaves consumed; `isPaid` null: it does not complete. */
async function unitsUsed({ isPaid, returnsUnit }: { isPaid: boolean | null; returnsUnit?: boolean }) {
  let used = 0
  const app = new Hono()
  app.use(async (c, next) => {
    c.set('rateLimits', {
      consume: async () => {
        used += 1
      },
      refund: async () => {
        used -= 1
      },
      count: async () => {},
      require: async () => {},
      headers: () => ({}),
    })
    await next()
  })
  app.post(
    '/write',
    countWrite(anOpenWrite('/write'), async (c) => {
      if (returnsUnit !== undefined) c.set('returnsWriteUnit', returnsUnit)
      if (isPaid !== null) await returnUnit(c, isPaid)
      return new Response('{}')
    }),
  )
  expect((await app.request('/write', { method: 'POST' })).status).toBe(200)
  return used
}

test('given a paid and completed write, then its unit is refunded', async () => {
  expect(await unitsUsed({ isPaid: true })).toBe(0)
})

test('given a completed write whose gas or terms are not usual, then its unit stays used', async () => {
  expect(await unitsUsed({ isPaid: true, returnsUnit: false })).toBe(1)
})

test('given a free write, or one that does not complete, then nothing is refunded', async () => {
  expect(await unitsUsed({ isPaid: false })).toBe(1)
  expect(await unitsUsed({ isPaid: null })).toBe(1)
})
