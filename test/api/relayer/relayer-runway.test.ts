import type { Address } from 'viem'
import { beforeEach, expect, it } from 'vitest'
import { insertAttempt } from '../../../api/relayer/transactions/attempts.queries.ts'
import { readRelayerRunway } from '../../../api/relayer/transactions/read-relayer-runway.ts'
import { aHash } from '../../support/rows/insert-row.ts'
import { aStartedApi } from '../writes/started-api.ts'

const relayer: Address = `0x${'a1'.repeat(20)}`
const other: Address = `0x${'b2'.repeat(20)}`
const DAY = 86_400

const api = aStartedApi()
beforeEach(() => api.sql`delete from attempts`)

/** Stores a transaction that may cost 700 wei, signed `ago` seconds ago. */
async function spend(nonce: bigint, ago: number, { maxFeePerGas = 7n, address = relayer } = {}) {
  await api.sql`insert into relayers ${api.sql({ address, nextNonce: 0n })} on conflict do nothing`
  const hash = aHash()
  const call = { intentId: null, raw: aHash(), purpose: 'cancellation', gasLimit: 100n } as const
  await insertAttempt(api.sql, { ...call, relayer: address, nonce, hash, maxFeePerGas, maxPriorityFeePerGas: 1n })
  await api.sql`update attempts set created_at = now() - make_interval(secs => ${ago}) where hash = ${hash}`
}

async function daysOf(balanceWei: bigint) {
  const [runway] = await readRelayerRunway(api.sql, [{ address: relayer, balanceWei }])
  return runway?.days
}

it('divides the balance by what the last seven days cost at most', async () => {
  await spend(0n, 30 * DAY)
  await spend(1n, 6 * DAY)
  await spend(2n, 10)
  // 1,400 wei in seven days.
  expect(await daysOf(3_000n)).toBe(15)
  expect(await daysOf(0n)).toBe(0)
})

it('counts a transaction and its replacements once, with the highest fee', async () => {
  await spend(0n, 8 * DAY)
  await spend(1n, 60)
  await spend(1n, 30, { maxFeePerGas: 14n })
  expect(await daysOf(2_000n)).toBe(10)
})

it('measures a relayer that is new by its own days, one at least', async () => {
  await spend(0n, 2 * DAY)
  await spend(1n, 60)
  expect(await daysOf(7_000n)).toBeCloseTo(10, 3)
  await api.sql`update attempts set created_at = now()`
  expect(await daysOf(7_000n)).toBe(5)
})

it('has no days for a relayer without a write in seven days, or without a row, beside one that has', async () => {
  await spend(0n, 8 * DAY)
  await spend(5n, 60, { address: other })
  const unused: Address = `0x${'c3'.repeat(20)}`
  const funds = [relayer, unused, other].map((address) => ({ address, balanceWei: 1_400n }))
  expect(await readRelayerRunway(api.sql, funds)).toEqual([
    { address: relayer, days: null },
    { address: unused, days: null },
    { address: other, days: 2 },
  ])
})
