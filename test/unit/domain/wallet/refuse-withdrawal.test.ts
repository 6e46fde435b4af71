import fc from 'fast-check'
import type { Address } from 'viem'
import { expect, test } from 'vitest'
import {
  refuseWithdrawal,
  type WithdrawalFacts,
  type WithdrawalRequest,
} from '../../../../api/domain/wallet/refuse-withdrawal.ts'
import { MIN_WITHDRAWAL } from '../../../../protocol/limits.ts'

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

test.each([
  ['another owner', { authorization: { ...request.authorization, from: other } }, {}, 400, 'other_owner'],
  ['another amount', { amount: 4_999n }, {}, 400, 'other_amount'],
  ['too little', { amount: 999n, authorization: { ...request.authorization, value: 999n } }, {}, 400, 'too_little'],
  ['no address', {}, { registered: null }, 409, 'no_withdrawal_address'],
  ['another receiver', { authorization: { ...request.authorization, to: other } }, {}, 409, 'other_receiver'],
  [
    'the wallet itself',
    { authorization: { ...request.authorization, to: wallet } },
    { registered: wallet },
    409,
    'own_address',
  ],
  ['a used authorization', {}, { isUsed: true }, 409, 'authorization_used'],
  ['a lower balance', {}, { balance: 4_999n }, 409, 'balance_too_low'],
] as const)('given %s, then it is refused', (_, changes, known, status, failure) => {
  expect(refuseWithdrawal({ ...request, ...changes }, { ...facts, ...known })).toMatchObject({ status, failure })
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
    { numRuns: 2_000 },
  )
})
