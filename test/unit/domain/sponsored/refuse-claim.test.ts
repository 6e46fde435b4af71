import { expect, test } from 'vitest'
import {
  type ClaimFacts,
  type ClaimRequest,
  otherVault,
  refuseClaim,
} from '../../../../api/domain/sponsored/refuse-claim.ts'

const clocks = { head: 1_000n, current: 1_001n }
const request: ClaimRequest = { vaultId: '7', destination: '0xaa', nonce: 4n, deadline: 1_301n }
const facts: ClaimFacts = {
  vault: { isExited: false },
  charge: { state: 'settled', isEnded: false },
  registered: '0xaa',
  isInFlight: false,
  nextNonce: 4n,
}

test.each([1_016n, 1_301n, 1_661n])('given the next claim of a settled reward until %d, then it is relayed', (end) => {
  expect(refuseClaim({ ...request, deadline: end }, facts, clocks)).toBeNull()
})

/** The wrong facts, in the order in which they are refused: each beside all that follow it. */
const faults: [string, Partial<ClaimRequest>, Partial<ClaimFacts>, object][] = [
  ['no vault', {}, { vault: null }, { status: 404, failure: 'vault_not_found', message: 'There is no vault 7.' }],
  [
    'an exited vault',
    {},
    { vault: { isExited: true } },
    { status: 409, failure: 'vault_exited', message: /VaultNotActive/ },
  ],
  [
    'a charge that the exit ended',
    {},
    { charge: { state: 'settled', isEnded: true } },
    { status: 409, failure: 'vault_exited', message: /VaultNotActive/ },
  ],
  [
    'an end too soon',
    { deadline: 1_015n },
    {},
    {
      status: 409,
      failure: 'window_too_short',
      field: 'deadline',
      message: /^claim authorization expired: deadline 1015/,
    },
  ],
  [
    'an end too late',
    { deadline: 1_662n },
    {},
    { status: 400, failure: 'window_too_long', field: 'deadline', message: /^deadline 1662/ },
  ],
  [
    'no registered address',
    {},
    { registered: null },
    { status: 409, failure: 'no_withdrawal_address', message: /register one/ },
  ],
  [
    'another destination',
    { destination: '0xbb' },
    {},
    { status: 409, failure: 'other_receiver', field: 'destination', message: /address 0xaa;/ },
  ],
  [
    'no charge',
    {},
    { charge: null },
    { status: 409, failure: 'no_reward', field: 'taskId', message: /no sponsored task reward/ },
  ],
  [
    'a released charge',
    {},
    { charge: { state: 'released', isEnded: false } },
    { status: 409, failure: 'no_reward', field: 'taskId', message: /no sponsored task reward/ },
  ],
  [
    'a charge without settlement',
    {},
    { charge: { state: 'credited', isEnded: false } },
    { status: 409, failure: 'not_settled', field: 'taskId', message: /no settlement installed/ },
  ],
  ['a used nonce', { nonce: 3n }, {}, { status: 409, failure: 'nonce_used', field: 'nonce', message: /next one is 4/ }],
  [
    'another claim on its way',
    {},
    { isInFlight: true },
    { status: 409, failure: 'claim_in_progress', message: /retry/ },
  ],
  [
    'a nonce ahead',
    { nonce: 5n },
    {},
    { status: 409, failure: 'nonce_not_next', field: 'nonce', message: /retry.*is 4/ },
  ],
]

test.each(faults)(
  'given %s, then it is refused with the field and the reason',
  (_, asked, known, { message, ...refusal }: { message?: unknown }) => {
    expect(refuseClaim({ ...request, ...asked }, { ...facts, ...known }, clocks)).toEqual({
      ...refusal,
      message: expect.stringMatching(message as string | RegExp),
    })
  },
)

test.each([
  ['no reward before a claim on its way', {}, { charge: null, isInFlight: true }, 'no_reward'],
  ['a used nonce before a claim on its way', { nonce: 3n }, { isInFlight: true }, 'nonce_used'],
  ['a claim on its way before a nonce ahead', { nonce: 5n }, { isInFlight: true }, 'claim_in_progress'],
  ['the end before the reward', { deadline: 0n }, { charge: null }, 'window_too_short'],
] as const)('given both, then %s', (_, asked, known, failure) => {
  expect(refuseClaim({ ...request, ...asked }, { ...facts, ...known }, clocks)?.failure).toBe(failure)
})

test('given another vault in the body, then the field is named', () => {
  expect(otherVault()).toEqual({
    status: 400,
    failure: 'other_vault',
    field: 'vaultId',
    message: expect.stringContaining('the vault of the path'),
  })
})
