import type { Hex } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { countBacklog } from '../../../api/intents/backlog.queries.ts'
import { coverGas } from '../../../api/intents/cover-gas.ts'
import { setReservedGas, settleGas } from '../../../api/intents/gas-accounts.queries.ts'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { getIntent } from '../../support/bound-intent.ts'
import { agreeToEverything, aPaidCreate } from './fake-payments.ts'

const GWEI = 10n ** 9n
const GAS = 600_000n
/** What the fake chain asks for: 3 gwei a gas. */
const CALL_WEI = GAS * 3n * GWEI
const YESTERDAY = 'foreign 2020-01-01'
const today = `foreign ${new Date().toISOString().slice(0, 10)}`

let api: TestApi

/** Starts an API whose payers all are contracts. */
function start(settings: Record<string, string>): void {
  beforeAll(async () => {
    api = await startTestApi({ WRITE_ANSWER_MS: '150', ...settings })
    agreeToEverything(api)
  })
  afterAll(() => api.stop())
  beforeEach(async () => {
    api.chain.hasCode = async () => true
    await api.sql`
      update intents set status = 'failed', gas_account = null, gas_reserved_wei = null where status = 'recorded'`
    await api.sql`delete from service.gas_accounts`
  })
}

async function intentOf(key: string) {
  const [row] = await api.sql`
    select relay_class, gas_limit::int, gas_account, gas_reserved_wei, status from intents where idempotency_key = ${key}`
  return row
}

const used = () => api.sql`select name, used_wei from service.gas_accounts order by name`

/** A bound call of a contract wallet; with `account`, its share is of that one. */
async function aForeignCall({ account = today }: { account?: string | null } = {}): Promise<string> {
  const create = aPaidCreate(api)
  await create.roundTwo()
  const id = await create.id()
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
  const intent = await getIntent(api, id)
  return await api.sql.begin(async (tx) => {
    const fees = { maxFeePerGas: feeGwei * GWEI, maxPriorityFeePerGas: 1n }
    const covered = await coverGas(api.deps, tx, intent, { gasLimit: GAS, fees })
    if (covered?.reservation) await setReservedGas(tx, id, covered.reservation)
    return covered !== null
  })
}

/** The wei that are used of each account. */
const usedOf = async () => Object.fromEntries((await used()).map(({ name, usedWei }) => [name, usedWei]))
const reservedOf = async (id: string) =>
  (await api.sql`select gas_account, gas_reserved_wei from intents where id = ${id}`)[0]

describe('given a payer that is a contract', () => {
  start({ FOREIGN_WEI_PER_DAY: String(2n * CALL_WEI) })

  it('when its write is bound, then it has a ceiling, and wei of the day are set aside for it', async () => {
    const create = aPaidCreate(api)
    expect((await create.roundTwo()).body.service.reason).toBe('intent_in_flight')
    const account = expect.stringMatching(/^foreign \d{4}-\d\d-\d\d$/)
    expect(await intentOf(create.key)).toMatchObject({
      relayClass: 'foreign',
      gasLimit: 600_000,
      gasAccount: account,
      gasReservedWei: CALL_WEI,
      status: 'recorded',
    })
    expect(await used()).toEqual([{ name: account, usedWei: CALL_WEI }])
  })

  it('when the day has no more, then 503 with how to go on, nothing bound, the key stays usable, and payers without code go on', async () => {
    const creates = Array.from({ length: 4 }, () => aPaidCreate(api))
    const answers = await Promise.all(creates.map((create) => create.roundTwo()))
    const refused = answers.filter(({ status }) => status === 503)
    expect(refused).toHaveLength(2)
    for (const { body, headers } of refused) {
      expect(body).toMatchObject({
        error: expect.stringContaining(`Send it directly to ${api.deps.deployment.market}`),
        service: { reason: 'unclassified' },
      })
      expect(headers.get('Retry-After')).toBe('600')
    }
    expect(await used()).toMatchObject([{ usedWei: 2n * CALL_WEI }])
    const statuses = await Promise.all(creates.map((create) => create.status()))
    expect(statuses.sort()).toEqual(['recorded', 'recorded', 'reserved', 'reserved'])

    api.chain.hasCode = async () => false
    const create = aPaidCreate(api)
    expect((await create.roundTwo()).body.service.reason).toBe('intent_in_flight')
    expect(await intentOf(create.key)).toMatchObject({ relayClass: 'plain', gasLimit: null, gasAccount: null })
  })

  it('when a task with hooks of its requester is created, then the call is foreign, whatever its payer is', async () => {
    api.chain.hasCode = async () => false
    const create = aPaidCreate(api, { hookContract: `0x${'77'.repeat(20)}` })
    const answer = await create.roundTwo()
    expect(answer.body.service?.reason ?? answer.body).toBe('intent_in_flight')
    expect(await intentOf(create.key)).toMatchObject({ relayClass: 'foreign', gasLimit: 950_000 })
  })

  describe('when its call is signed', () => {
    it('given fees as at bind, then its share of the day before is enough, and today pays nothing', async () => {
      const id = await aForeignCall({ account: YESTERDAY })
      expect(await cover(id, 3n)).toBe(true)
      expect(await usedOf()).toEqual({ [YESTERDAY]: CALL_WEI })
      expect(await reservedOf(id)).toEqual({ gasAccount: YESTERDAY, gasReservedWei: CALL_WEI })
    })

    it('given fees have risen since the day before, then all of it is of today, and the day before has its share back', async () => {
      const id = await aForeignCall({ account: YESTERDAY })
      expect(await cover(id, 6n)).toBe(true)
      expect(await usedOf()).toEqual({ [YESTERDAY]: 0n, [today]: 2n * CALL_WEI })
      expect(await reservedOf(id)).toEqual({ gasAccount: today, gasReservedWei: 2n * CALL_WEI })
    })

    it('given today has no more, then what is left of the day before is not spent', async () => {
      const id = await aForeignCall({ account: YESTERDAY })
      await api.sql`insert into service.gas_accounts (name, used_wei) values (${today}, ${String(CALL_WEI)}::numeric)`
      expect(await cover(id, 6n)).toBe(false)
      expect(await usedOf()).toEqual({ [YESTERDAY]: CALL_WEI, [today]: CALL_WEI })
      expect(await reservedOf(id)).toEqual({ gasAccount: YESTERDAY, gasReservedWei: CALL_WEI })
    })

    it('given a reorg reopened it, so that nothing is set aside for it, then what is signed anew is of today', async () => {
      const id = await aForeignCall({ account: null })
      expect(await cover(id, 3n)).toBe(true)
      expect(await reservedOf(id)).toEqual({ gasAccount: today, gasReservedWei: CALL_WEI })
      expect(await usedOf()).toEqual({ [today]: CALL_WEI })
    })

    it('given fees have risen since bind today, then only what is missing is added', async () => {
      const id = await aForeignCall()
      expect(await cover(id, 6n)).toBe(true)
      expect(await usedOf()).toEqual({ [today]: 2n * CALL_WEI })
      expect(await cover(id, 15n)).toBe(false)
      expect(await usedOf()).toEqual({ [today]: 2n * CALL_WEI })
    })
  })

  it('given an account of the day before that is kept, then the gas of today does not count it', async () => {
    await aForeignCall({ account: YESTERDAY })
    await aForeignCall()
    expect(await countBacklog(api.sql, 1_000)).toMatchObject({ foreignGasWei: Number(CALL_WEI) })
  })
})

describe('given an owner of code that has paid fees', () => {
  start({ FOREIGN_WEI_PER_DAY: '0', FOREIGN_WEI_PER_FEE_USDC: String(2n * CALL_WEI) })

  it('when nothing is left of the day, then its fees pay, up to their worth, with a higher ceiling', async () => {
    const payer = anActor()
    const requester = payer.account.address.toLowerCase() as Hex
    const task = await api.seed.task({ requester })
    // Of which 7.5 % is a fee of 1 USDC.
    await api.seed.award(task.id, requester, { gross: 13_333_334n })
    await api.sql`update award set self_award = true`

    const create = aPaidCreate(api, {}, payer)
    expect((await create.roundTwo()).body.service.reason).toBe('intent_in_flight')
    expect(await intentOf(create.key)).toMatchObject({ gasLimit: 1_200_000, gasAccount: requester })
    expect(await used()).toEqual([{ name: requester, usedWei: 2n * CALL_WEI }])
    expect((await aPaidCreate(api, {}, payer).roundTwo()).status).toBe(503)
  })
})
