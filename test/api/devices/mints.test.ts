import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Actor, anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { agreeToEverything } from '../writes/fake-payments.ts'

/** Mints that are recorded for signed devices; no relayer is at work, so no registration waits for the outcome of a mint. */

let api: TestApi
let revertsNow: boolean
beforeAll(async () => {
  api = await startMintingApi()
  const { simulate } = api.chain
  api.chain.simulate = async (call) =>
    revertsNow
      ? { outcome: 'reverted', revert: { errorName: 'Paused', message: 'Paused()', data: null } }
      : await simulate(call)
})
afterAll(() => api.stop())
beforeEach(() => {
  revertsNow = false
})

/** Recording a mint has a minute, and its outcome is never known. */
async function startMintingApi(environment: Record<string, string> = {}): Promise<TestApi> {
  const started = await startTestApi({ MINT_ANSWER_MS: '60000', ...environment })
  agreeToEverything(started)
  started.deps.writes.outcomes.wait = async () => null
  return started
}

async function registerSigned({ account, address }: Actor): Promise<void> {
  const signature = await account.signMessage({ message: `service:device-register:${address}` })
  const { status, body } = await api.post('/api/devices', { walletAddress: address, signature })
  expect([status, body.agentId, body.verified]).toEqual([200, null, true])
}

const mintOf = async ({ address }: Actor): Promise<string | null> => {
  const [row] = await api.sql<{ intentId: string }[]>`
    select intent_id from service.identity_mints where wallet = ${address}`
  return row?.intentId ?? null
}

const countMints = async ({ address }: Actor): Promise<number> => {
  const [row] = await api.sql<{ count: number }[]>`
    select count(*)::int as count from service.intents
    where operation = 'identity.mint' and status <> 'reserved' and calldata like ${`%${address.slice(2)}%`}`
  return row?.count ?? 0
}

describe('the mint of a wallet', () => {
  test('is recorded once, without an initiator and without a signature', async () => {
    const alice = anActor()
    await registerSigned(alice)
    const intentId = await mintOf(alice)
    const [intent] = await api.sql`select * from service.intents where id = ${intentId}`
    expect(intent).toMatchObject({
      status: 'recorded',
      kind: 'registry',
      relayMode: 'open',
      operation: 'identity.mint',
      initiator: null,
      actorSignature: null,
      target: api.deps.deployment.identityRegistrar,
    })
    await registerSigned(alice)
    expect([await mintOf(alice), await countMints(alice)]).toEqual([intentId, 1])
  })

  test('registered eight times at once is recorded once', async () => {
    const alice = anActor()
    await Promise.all(Array.from({ length: 8 }, () => registerSigned(alice)))
    expect(await countMints(alice)).toBe(1)
  })

  test.each(['broadcast', 'completed', 'held'])('that is %s is not made again', async (status) => {
    const alice = anActor()
    await registerSigned(alice)
    await api.sql`update service.intents set status = ${status} where id = ${await mintOf(alice)}`
    await registerSigned(alice)
    expect(await countMints(alice)).toBe(1)
  })

  test('that has failed is made again', async () => {
    const alice = anActor()
    await registerSigned(alice)
    const failed = await mintOf(alice)
    await api.sql`update service.intents set status = 'failed' where id = ${failed}`
    await registerSigned(alice)
    expect(await countMints(alice)).toBe(2)
    expect(await mintOf(alice)).not.toBe(failed)
  })

  test('that would revert is not recorded, and uses no unit of the day', async () => {
    const used = () => api.sql`select name, used from service.budgets where name in ('mints', 'allMints') order by name`
    const alice = anActor()
    const before = await used()
    revertsNow = true
    await registerSigned(alice)
    expect([await mintOf(alice), await used()]).toEqual([null, before])
    revertsNow = false
    await registerSigned(alice)
    expect(await mintOf(alice)).not.toBeNull()
  })
})

describe('when the mints of the day are used up', () => {
  let limited: TestApi
  beforeAll(async () => {
    limited = await startMintingApi({ MINTS_PER_CLIENT_PER_DAY: '1', RESERVED_MINTS_PER_DAY: '1' })
  })
  afterAll(() => limited.stop())

  test('a wallet with a submission draws on the reserve, one without does not', async () => {
    const registerAt = async ({ account, address }: Actor) => {
      const signature = await account.signMessage({ message: `service:device-register:${address}` })
      await limited.post('/api/devices', { walletAddress: address, signature })
      const rows = await limited.sql`select from service.identity_mints where wallet = ${address}`
      return rows.length === 1
    }
    const workers = [anActor(), anActor()]
    for (const { address } of workers) {
      const task = await limited.seed.task({ requester: anActor().address })
      await limited.seed.submission(task.id, address)
    }
    const stranger = anActor()
    expect([await registerAt(anActor()), await registerAt(stranger)]).toEqual([true, false])
    const reserved: boolean[] = []
    for (const worker of workers) reserved.push(await registerAt(worker))
    expect([...reserved, await registerAt(stranger)]).toEqual([true, false, false])
  })
})
