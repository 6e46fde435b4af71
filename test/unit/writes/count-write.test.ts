import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { countWrite } from '../../../api/writes/count-write.ts'
import { anOpenWrite } from '../../api/writes/open-write.ts'

/** A write with this answer, and what its request leaves consumed of the rate limit. */
async function unitsUsed(
  answer: { status?: 200 | 402 | 409; receipt?: string; returnsUnit?: boolean },
  headers: Record<string, string> = {},
) {
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
  const { status = 200, receipt, returnsUnit } = answer
  app.post(
    '/write',
    countWrite(anOpenWrite('/write'), async (c) => {
      if (returnsUnit !== undefined) c.set('returnsWriteUnit', returnsUnit)
      return new Response('{}', { status, headers: receipt === undefined ? {} : { 'PAYMENT-RESPONSE': receipt } })
    }),
  )
  expect((await app.request('/write', { method: 'POST', headers })).status).toBe(status)
  return used
}

const sent = { 'PAYMENT-SIGNATURE': 'anything' }

test('given a paid and completed write, then its unit is refunded', async () => {
  expect(await unitsUsed({ receipt: 'receipt' }, sent)).toBe(0)
})

test('given a completed write whose gas or terms are not usual, then its unit stays used', async () => {
  expect(await unitsUsed({ receipt: 'receipt', returnsUnit: false }, sent)).toBe(1)
})

test('given an unneeded payment, then nothing is refunded: a free write accepted none', async () => {
  expect(await unitsUsed({}, sent)).toBe(1)
  expect(await unitsUsed({})).toBe(1)
})

test('given a write that did not complete, then nothing is refunded', async () => {
  expect(await unitsUsed({ status: 402 }, sent)).toBe(1)
  expect(await unitsUsed({ status: 409, receipt: 'receipt' }, sent)).toBe(1)
})
