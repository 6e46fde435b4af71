import { zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { hasExpired } from '../../../api/relayer/confirmations/expired-payment.ts'

const payment = { validBefore: 100n }

test.each([
  ['an open call', { relay: { mode: 'open' } }, null],
  ['a paid call', { relay: { mode: 'paid', payment } }, 100n],
  ['a bound payment', { relay: { mode: 'bound', payment: { ...payment, salt: zeroHash } } }, 100n],
  ['a call whose payment arrived', { relay: { mode: 'prepaid', payment } }, null],
  ['a call that any account may submit', { kind: 'claim', validBefore: 100n }, 100n],
])('given %s, then it ends with its authorization', async (_, intent, end) => {
  const isOverAt = async (timestamp: bigint) =>
    await hasExpired({ chain: { head: async () => ({ timestamp }) } } as never, intent as never)
  expect([await isOverAt(99n), await isOverAt(100n)]).toEqual([false, end !== null])
})
