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

test.each<[string, Parameters<typeof unitsUsed>[0], number]>([
  ['a paid and completed write', { isPaid: true }, 0],
  ['a completed write whose gas or terms are not usual', { isPaid: true, returnsUnit: false }, 1],
  ['a free write', { isPaid: false }, 1],
  ['a write that does not complete', { isPaid: null }, 1],
])('given %s, then %o leaves so many units used: %i', async (_, write, used) => {
  expect(await unitsUsed(write)).toBe(used)
})
