import fc from 'fast-check'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import {
  MAX_WITHDRAWALS_PER_DAY,
  refuseFurtherWithdrawal,
  refuseWithdrawal,
  type WithdrawalFacts,
  type WithdrawalRequest,
} from '../../../../api/domain/wallet/refuse-withdrawal.ts'
import { MIN_WITHDRAWAL } from '../../../../protocol/limits.ts'
import { byDepth } from '../../../support/depth.ts'

const [wallet, target, other] = ['aa', 'bb', 'cc'].map((byte): Address => `0x${byte.repeat(20)}`) as [
  Address,
  Address,
  Address,
]

const request: WithdrawalRequest = {
  wallet,
  amount: 5_000n,
  authorization: { from: wallet, to: target, value: 5_000n },
}
const facts: WithdrawalFacts = { registered: target, balance: 5_000n, isUsed: false }

test('given the whole balance to the registered address, then it is made', () => {
  expect(refuseWithdrawal(request, facts)).toBeNull()
})

const from = (address: Address) => ({ authorization: { ...request.authorization, from: address } })
const to = (address: Address) => ({ authorization: { ...request.authorization, to: address } })
const ofAmount = (amount: bigint) => ({ amount, authorization: { ...request.authorization, value: amount } })

test('given the least amount, then it is made', () => {
  expect(refuseWithdrawal({ ...request, ...ofAmount(MIN_WITHDRAWAL) }, facts)).toBeNull()
})

test.each([
  ['another owner', from(other), {}, [400, 'other_owner', 'authorization.from'], /wallet of the field from/],
  ['another amount', { amount: 4_999n }, {}, [400, 'other_amount', 'authorization.value'], /must be amountBaseUnits/],
  ['too little', ofAmount(MIN_WITHDRAWAL - 1n), {}, [400, 'too_little', 'amountBaseUnits'], /at least \d+/],
  ['no address', {}, { registered: null }, [409, 'no_withdrawal_address'], /register one first/],
  [
    'another receiver',
    to(other),
    {},
    [409, 'other_receiver', 'authorization.to'],
    /registered withdrawal address 0xbb/,
  ],
  ['the wallet itself', to(wallet), { registered: wallet }, [409, 'own_address'], /nothing would move/],
  ['a used authorization', {}, { isUsed: true }, [409, 'authorization_used', 'authorization.nonce'], /sign a new one/],
  ['a lower balance', {}, { balance: 4_999n }, [409, 'balance_too_low', 'amountBaseUnits'], /holds 4999 .* 5000 are/],
] as const)('given %s, then it is refused with the field', (_, changes, known, [status, failure, field], message) => {
  expect(refuseWithdrawal({ ...request, ...changes }, { ...facts, ...known })).toEqual({
    status,
    failure,
    ...(field !== undefined && { field }),
    message: expect.stringMatching(message),
  })
})

test('given no wait, then a further withdrawal is made, and otherwise refused until its end', () => {
  expect(refuseFurtherWithdrawal(null)).toBeNull()
  expect(refuseFurtherWithdrawal(60)).toEqual({
    status: 429,
    failure: 'too_many_withdrawals',
    retryAfterSeconds: 60,
    message: expect.stringContaining(`${MAX_WITHDRAWALS_PER_DAY} withdrawals`),
  })
})

test('given any request, then only what the wallet has goes, and only to its registered address', () => {
  const address = fc.constantFrom(wallet, target, other)
  const amount = fc.bigInt({ min: 0n, max: 4_000n })
  fc.assert(
    fc.property(
      fc.record({ wallet: address, amount, authorization: fc.record({ from: address, to: address, value: amount }) }),
      fc.record({ registered: fc.option(address), balance: amount, isUsed: fc.boolean() }),
      (asked, known) => {
        if (refuseWithdrawal(asked, known) !== null) return
        const { from, to, value } = asked.authorization
        expect([from, value]).toEqual([asked.wallet, asked.amount])
        expect(to).toBe(known.registered)
        expect(to).not.toBe(from)
        expect(value >= MIN_WITHDRAWAL && value <= known.balance).toBe(true)
        expect(known.isUsed).toBe(false)
      },
    ),
    { numRuns: byDepth(300, 2_000) },
  )
})
