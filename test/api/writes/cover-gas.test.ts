import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { countBacklog } from '../../../api/intents/backlog.queries.ts'
import { coverGas } from '../../../api/intents/cover-gas.ts'
import { setReservedGas, settleGas } from '../../../api/intents/gas-accounts.queries.ts'
import { findBoundIntent } from '../../../api/intents/intents.queries.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { agreeToEverything, aPaidCreate } from './fake-payments.ts'

const GWEI = 10n ** 9n
const GAS = 600_000n
/** What the fake chain asks for: 3 gwei a gas. */
const SHARE = GAS * 3n * GWEI
const YESTERDAY = 'foreign 2020-01-01'
const today = `foreign ${new Date().toISOString().slice(0, 10)}`

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ WRITE_ANSWER_MS: '150', FOREIGN_WEI_PER_DAY: String(4n * SHARE) })
  agreeToEverything(api)
  api.chain.hasCode = async () => true
})
afterAll(() => api.stop())
beforeEach(async () => {
  await api.sql`update intents set status = 'failed', gas_account = null, gas_reserved_wei = null where status = 'recorded'`
  await api.sql`delete from service.gas_accounts`
})

/** A bound call of a contract wallet; with `account`, its share is of that one. */
async function aForeignCall({ account = today }: { account?: string | null } = {}): Promise<string> {
  const create = aPaidCreate(api)
  await create.roundTwo()
  const [row] = await api.sql<{ id: string }[]>`select id from intents where idempotency_key = ${create.key}`
  const { id } = row ?? { id: '' }
  if (account === today) return id
  if (account === null) await settleGas(api.sql, id, 0n)
  else {
    await api.sql`update service.gas_accounts set name = ${account}, ends_at = now() + interval '30 hours'`
    await api.sql`update intents set gas_account = ${account} where id = ${id}`
  }
  return id
}

/** Covers the call at a fee, as its signature does. @returns whether that much was left */
async function cover(id: string, feeGwei: bigint): Promise<boolean> {
  const intent = await findBoundIntent(api.sql, id)
  if (intent === null) throw new Error('it is not bound')
  return await api.sql.begin(async (tx) => {
    const fees = { maxFeePerGas: feeGwei * GWEI, maxPriorityFeePerGas: 1n }
    const covered = await coverGas(api.deps, tx, intent, { gasLimit: GAS, fees })
    if (covered?.reservation) await setReservedGas(tx, id, covered.reservation)
    return covered !== null
  })
}

const accounts = async () =>
  Object.fromEntries(
    (await api.sql<{ name: string; usedWei: bigint }[]>`select name, used_wei from service.gas_accounts`).map(
      ({ name, usedWei }) => [name, usedWei],
    ),
  )
const reservedOf = async (id: string) =>
  (await api.sql`select gas_account, gas_reserved_wei from intents where id = ${id}`)[0]

describe('the gas of a foreign call when it is signed', () => {
  it('given fees as at bind, then its share of the day before is enough, and today pays nothing', async () => {
    const id = await aForeignCall({ account: YESTERDAY })
    expect(await cover(id, 3n)).toBe(true)
    expect(await accounts()).toEqual({ [YESTERDAY]: SHARE })
    expect(await reservedOf(id)).toEqual({ gasAccount: YESTERDAY, gasReservedWei: SHARE })
  })

  it('given fees have risen since the day before, then all of it is of today, and the day before has its share back', async () => {
    const id = await aForeignCall({ account: YESTERDAY })
    expect(await cover(id, 6n)).toBe(true)
    expect(await accounts()).toEqual({ [YESTERDAY]: 0n, [today]: 2n * SHARE })
    expect(await reservedOf(id)).toEqual({ gasAccount: today, gasReservedWei: 2n * SHARE })
  })

  it('given today has no more, then what is left of the day before is not spent', async () => {
    const id = await aForeignCall({ account: YESTERDAY })
    await api.sql`insert into service.gas_accounts (name, used_wei) values (${today}, ${String(3n * SHARE)}::numeric)`
    expect(await cover(id, 6n)).toBe(false)
    expect(await accounts()).toEqual({ [YESTERDAY]: SHARE, [today]: 3n * SHARE })
    expect(await reservedOf(id)).toEqual({ gasAccount: YESTERDAY, gasReservedWei: SHARE })
  })

  it('given a reorg reopened it, so that nothing is set aside for it, then what is signed anew is of today', async () => {
    const id = await aForeignCall({ account: null })
    expect(await cover(id, 3n)).toBe(true)
    expect(await reservedOf(id)).toEqual({ gasAccount: today, gasReservedWei: SHARE })
    expect(await accounts()).toEqual({ [today]: SHARE })
  })

  it('given fees have risen since bind today, then only what is missing is added', async () => {
    const id = await aForeignCall()
    expect(await cover(id, 6n)).toBe(true)
    expect(await accounts()).toEqual({ [today]: 2n * SHARE })
    expect(await cover(id, 15n)).toBe(false)
    expect(await accounts()).toEqual({ [today]: 2n * SHARE })
  })
})

it('given an account of the day before that is kept, then the gas of today does not count it', async () => {
  await aForeignCall({ account: YESTERDAY })
  await aForeignCall()
  expect(await countBacklog(api.sql, 1_000)).toMatchObject({ foreignGasWei: Number(SHARE) })
})
