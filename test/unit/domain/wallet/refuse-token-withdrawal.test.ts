import { type Hex, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import {
  refuseTokenWithdrawal,
  type TokenWithdrawalFacts,
} from '../../../../api/domain/wallet/refuse-token-withdrawal.ts'

const clocks = { head: 1_000n, current: 1_000n }
const nonce: Hex = `0x${'07'.repeat(32)}`
const request = { nonce, validBefore: 1_200n }
const facts: TokenWithdrawalFacts = {
  destination: '0xaa',
  lostAt: ['0xbb'],
  hasProgramme: true,
  isNonceUsed: false,
  claimable: 1n,
}

test.each([1_030n, 1_200n, 1_360n])('given one base unit and an end at %d, then it is relayed', (validBefore) => {
  expect(refuseTokenWithdrawal({ nonce, validBefore }, facts, clocks)).toBeNull()
})

test.each([
  ['no programme', {}, { hasProgramme: false }, { status: 409, failure: 'no_bonus' }, /no token bonus/],
  ['no destination', {}, { destination: null }, { status: 409, failure: 'no_withdrawal_address' }, /register one/],
  [
    'an end too soon',
    { validBefore: 1_029n },
    {},
    { status: 400, failure: 'window_too_short', field: 'validBefore' },
    /^validBefore 1029/,
  ],
  [
    'an end too late',
    { validBefore: 1_361n },
    {},
    { status: 400, failure: 'window_too_long', field: 'validBefore' },
    /^validBefore 1361/,
  ],
  ['a zero nonce', { nonce: zeroHash }, {}, { status: 400, failure: 'nonce_zero', field: 'nonce' }, /not be zero/],
  [
    'a destination that loses tokens',
    {},
    { destination: '0xbb' },
    { status: 400, failure: 'destination_unusable', field: 'destination' },
    /must not be the zero address/,
  ],
  ['a used nonce', {}, { isNonceUsed: true }, { status: 409, failure: 'nonce_used', field: 'nonce' }, /sign a new one/],
  ['nothing to withdraw', {}, { claimable: 0n }, { status: 409, failure: 'nothing_to_withdraw' }, /no reward tokens/],
] as const)('given %s, then it is refused with the field and the reason', (_, asked, known, refusal, message) => {
  expect(refuseTokenWithdrawal({ ...request, ...asked }, { ...facts, ...known }, clocks)).toEqual({
    ...refusal,
    message: expect.stringMatching(message),
  })
})
