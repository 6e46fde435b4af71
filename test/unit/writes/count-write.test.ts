import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { countWrite } from '../../../api/writes/count-write.ts'
import { anOpenWrite } from '../../api/writes/open-write.ts'

/** A write that answers so, and what its request leaves used up of the budget. */
async function unitsUsed(answer: { status?: 200 | 402 | 409; receipt?: string }, headers: Record<string, string> = {}) {
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
    })
    await next()
  })
  const { status = 200, receipt } = answer
  app.post(
    '/write',
    countWrite(anOpenWrite('/write'), async () => {
      return new Response('{}', { status, headers: receipt === undefined ? {} : { 'PAYMENT-RESPONSE': receipt } })
    }),
  )
  expect((await app.request('/write', { method: 'POST', headers })).status).toBe(status)
  return used
}

const sent = { 'PAYMENT-SIGNATURE': 'anything' }

test('a write that was paid for and landed gives its unit back', async () => {
  expect(await unitsUsed({ receipt: 'receipt' }, sent)).toBe(0)
})

test('a payment that was only sent along gives nothing back: a free write took none', async () => {
  expect(await unitsUsed({}, sent)).toBe(1)
  expect(await unitsUsed({})).toBe(1)
})

test('nor does a write that did not land', async () => {
  expect(await unitsUsed({ status: 402 }, sent)).toBe(1)
  expect(await unitsUsed({ status: 409, receipt: 'receipt' }, sent)).toBe(1)
})
