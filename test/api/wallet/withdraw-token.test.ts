import { randomUUID } from 'node:crypto'
import { type Address, zeroAddress, zeroHash } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { listContracts } from '../../../api/chain/deployment.ts'
import { anActor } from '../../support/actors.ts'
import { aProgramme } from '../../support/bonus-rows.ts'
import { START } from '../../support/rows/insert-row.ts'
import { aTokenWithdrawalBody, type TokenWithdrawalTerms } from '../../support/withdrawals.ts'
import { aStartedApi } from '../writes/started-api.ts'

const [worker, target] = [anActor(), anActor()]

const api = aStartedApi()
beforeAll(async () => {
  await aProgramme(api.sql)
  // No nonce is used, as before the programme refused zero; the wallet has one reward token.
  Object.assign(api.chain, {
    readContract: async ({ functionName }: { functionName: string }) =>
      functionName === 'claimableOf' ? 10n ** 18n : false,
  })
})

async function withdraw(terms: Partial<TokenWithdrawalTerms>) {
  const destination: Address = target.address
  const body = await aTokenWithdrawalBody(worker, { destination, now: START, ...terms })
  return await api.post('/api/wallet/withdraw-token', body, { 'X-Service-Idempotency-Key': randomUUID() })
}

test('given the nonce zero, when reward tokens are withdrawn, then it is refused by its field, and nothing is kept', async () => {
  const { status, body } = await withdraw({ nonce: zeroHash })
  const message = 'nonce must not be zero: the programme logs a direct withdrawal with it. Sign 32 random bytes.'
  expect({ status, ...body }).toMatchObject({
    status: 400,
    code: 'BAD_REQUEST',
    error: message,
    issues: [{ path: 'nonce', message }],
    service: { reason: 'payment_preflight_rejected' },
  })
  expect(await api.sql`select from service.intents`).toHaveLength(0)
})

test('given any contract of the market as destination, when reward tokens are withdrawn, then it is refused by its field', async () => {
  const [programme] = await api.sql<{ hook: Address; token: Address }[]>`select hook, token from bonus_programme`
  const destinations = [zeroAddress, ...listContracts(api.deps.deployment), ...Object.values(programme ?? {})]
  for (const destination of destinations) {
    const { status, body } = await withdraw({ destination })
    expect([destination, status, body.issues?.[0]?.path]).toEqual([destination, 400, 'destination'])
  }
  expect(destinations.length).toBeGreaterThan(8)
})

test.each([
  ['a number', (end: string) => Number(end), 'nonce'],
  ['a decimal string', (end: string) => end, 'nonce'],
  ['half a second', (end: string) => Number(end) + 0.5, 'validBefore'],
  ['a date', () => '2030-01-01T00:04:00Z', 'validBefore'],
])('given the end of the message as %s, then the refusal names the right field', async (_, toEnd, path) => {
  const body = await aTokenWithdrawalBody(worker, { destination: target.address, now: START, nonce: zeroHash })
  const changed = { ...body, validBefore: toEnd(body.validBefore) }
  const answer = await api.post('/api/wallet/withdraw-token', changed, { 'X-Service-Idempotency-Key': randomUUID() })
  expect([answer.status, answer.body.issues?.[0]?.path]).toEqual([400, path])
})

test('given neither a destination nor a registered address, then no message can be signed, and it is refused', async () => {
  const { status, body } = await withdraw({ isDefault: true })
  expect([status, body.service?.detail]).toEqual([409, 'no_withdrawal_address'])
})
