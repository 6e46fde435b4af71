import type { Hex } from 'viem'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BoundIntent } from '../../../api/intents/intent.ts'
import { findBoundIntent } from '../../../api/intents/intents.queries.ts'

import { applyResolution } from '../../../api/relayer/confirmations/resolution.ts'

import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { aHash } from '../../support/rows/insert-row.ts'
import { agreeToEverything, aPaidCreate } from './fake-payments.ts'

/** What the fake chain asks for: 3 gwei a gas. */
const CALL_WEI = 600_000n * 3n * 10n ** 9n

let api: TestApi
afterEach(() => api.stop())

/** An API whose payers all are contracts. */
async function start(settings: Record<string, string>): Promise<void> {
  api = await startTestApi({ WRITE_ANSWER_MS: '150', ...settings })
  agreeToEverything(api)
  api.chain.hasCode = async () => true
}

async function intentOf(key: string) {
  const [row] = await api.sql`
    select relay_class, gas_limit::int, gas_account, gas_reserved_wei, status from intents where idempotency_key = ${key}`
  return row
}

async function aBoundCreate(): Promise<BoundIntent> {
  const create = aPaidCreate(api)
  await create.roundTwo()
  const [row] = await api.sql<{ id: string }[]>`select id from intents where idempotency_key = ${create.key}`
  const intent = await findBoundIntent(api.sql, row?.id ?? '')
  if (intent === null) throw new Error('the write is not bound')
  return intent
}

const used = async () =>
  (await api.sql`select name, used_wei from service.gas_accounts order by name`).map((row) => row)

describe('given a payer that is a contract', () => {
  beforeEach(() => start({ FOREIGN_WEI_PER_DAY: String(2n * CALL_WEI) }))

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

  it('when the day has no more, then 503 with how to go on, nothing bound, and the key stays usable', async () => {
    const creates = Array.from({ length: 4 }, () => aPaidCreate(api))
    const answers = await Promise.all(creates.map((create) => create.roundTwo()))
    const refused = answers.filter(({ status }) => status === 503)
    expect(refused).toHaveLength(2)
    for (const { body, headers } of refused) {
      expect(body).toMatchObject({ error: expect.stringContaining('Send it directly to 0x') })
      expect(headers.get('Retry-After')).toBe('600')
    }
    expect(await used()).toMatchObject([{ usedWei: 2n * CALL_WEI }])
    const statuses = await Promise.all(creates.map(async ({ key }) => (await intentOf(key))?.status))
    expect(statuses.sort()).toEqual(['recorded', 'recorded', 'reserved', 'reserved'])
  })

  it('when its write fails before it is sent, whatever finds that out, then its share is free again', async () => {
    const intent = await aBoundCreate()
    const decision = { next: 'fail', reason: 'for the test', refund: false } as const
    expect(await api.sql.begin((tx) => applyResolution(tx, intent, { decision, mined: null }))).toBe(true)
    expect(await used()).toMatchObject([{ usedWei: 0n }])
  })

  it('when it reverts on chain and goes on in another relay mode, then that is charged to its share, and the next is covered anew', async () => {
    const intent = await aBoundCreate()
    const mined = { txHash: aHash(), blockNumber: 1n, blockHash: aHash() }
    const decision = { next: 'relay', mode: 'prepaid' } as const
    expect(await api.sql.begin((tx) => applyResolution(tx, intent, { decision, mined, gasWei: 7n }))).toBe(true)
    expect(await used()).toMatchObject([{ usedWei: CALL_WEI }])
    const [row] = await api.sql`select relay_mode, gas_reserved_wei from intents where id = ${intent.id}`
    expect(row).toEqual({ relayMode: 'prepaid', gasReservedWei: CALL_WEI - 7n })
  })

  it('when the day has no more, then the write of a payer without code goes on', async () => {
    for (const _ of [1, 2]) await aPaidCreate(api).roundTwo()
    api.chain.hasCode = async () => false
    const create = aPaidCreate(api)
    expect((await create.roundTwo()).body.service.reason).toBe('intent_in_flight')
    expect(await intentOf(create.key)).toMatchObject({ relayClass: 'plain', gasLimit: null, gasAccount: null })
  })
})

describe('given an owner of code that has paid fees', () => {
  it('when nothing is left of the day, then its fees pay, up to their worth, with a higher ceiling', async () => {
    await start({ FOREIGN_WEI_PER_DAY: '0', FOREIGN_WEI_PER_FEE_USDC: String(2n * CALL_WEI) })
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

describe('given a task with hooks of its requester', () => {
  it('when it is created, then the call is foreign, whatever its payer is', async () => {
    await start({})
    api.chain.hasCode = async () => false
    const create = aPaidCreate(api, { hookContract: `0x${'77'.repeat(20)}` })
    const answer = await create.roundTwo()
    expect(answer.body.service?.reason ?? answer.body).toBe('intent_in_flight')
    expect(await intentOf(create.key)).toMatchObject({ relayClass: 'foreign', gasLimit: 950_000 })
  })
})
