import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { findVaultFacts } from '../../../api/read-model/vaults.queries.ts'
import { createApp } from '../../../api/server/app.ts'
import { anActor } from '../../support/actors.ts'
import { aCuration, curator } from '../../support/curator.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import { aClaimOfReward } from '../../support/sponsor.ts'
import { insertSettledVault } from '../../support/vault-rows.ts'
import { aStartedApi } from '../writes/started-api.ts'

const api = aStartedApi()
let vaultId: ReturnType<typeof aHash>
let taskId: ReturnType<typeof aHash>
let vault: ReturnType<typeof anActor>['address']
const worker = anActor()
beforeEach(async () => {
  ;[vaultId, taskId] = [aHash(), aHash()]
  vault = anActor().address
  const hook = anActor().address
  await insertSettledVault(api.sql, { vaultId, vault, hook, taskId, worker: worker.address, amount: 5n })
})

type Terms = { status?: string; timestamp?: bigint; of?: typeof vaultId }

const signed = ({ status = 'approved', timestamp = START, of = vaultId }: Terms = {}, by = curator) =>
  aCuration({ vaultId: of, status, timestamp }, by)
const curate = (body: object, id = vaultId) => api.post(`/api/sponsored-task-vaults/${id}/curation`, body)
const statusOf = async (id = vaultId) => (await findVaultFacts(api.sql, id))?.curationStatus

describe('a decision about a vault', () => {
  test.each(['approved', 'rejected', 'unverified'])('given %s, signed by a curator, then it is', async (status) => {
    const answer = { status: 200, body: { vaultId, curationStatus: status } }
    expect(await curate(await signed({ status }))).toMatchObject(answer)
    expect(await statusOf()).toBe(status)
  })

  test('given as a procedure, then the same', async () => {
    const input = { vaultId, ...(await signed()) }
    const { status, body } = await api.post('/trpc/sponsoredTaskVaults.curation.setStatus', input)
    expect([status, body.result.data]).toEqual([200, { vaultId, curationStatus: 'approved' }])
  })

  test('is in force until a later one: one of the same or an earlier time changes nothing', async () => {
    await curate(await signed({ timestamp: START - 10n }))
    expect(await curate(await signed({ timestamp: START - 5n, status: 'rejected' }))).toMatchObject({ status: 200 })
    for (const timestamp of [START - 5n, START - 10n, START - 11n]) {
      expect(await curate(await signed({ timestamp }))).toMatchObject({ status: 409 })
    }
    expect(await statusOf()).toBe('rejected')
  })

  test('given many at once, then the latest is in force, and each succeeds once at most', async () => {
    const decisions = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        signed({ timestamp: START - BigInt(index % 6), status: index % 6 === 0 ? 'rejected' : 'approved' }),
      ),
    )
    const answers = await Promise.all(decisions.map((body) => curate(body)))
    const taken = answers.flatMap(({ status }, index) => (status === 200 ? [index % 6] : []))
    expect(new Set(taken).size).toBe(taken.length)
    expect(taken).toContain(0)
    expect(await statusOf()).toBe('rejected')
  })
})

describe('what is refused', () => {
  test('the signature of an account that is no curator, or over another decision', async () => {
    const decisions = [
      await signed({}, anActor()),
      await signed({ of: aHash() }),
      { ...(await signed()), status: 'rejected' },
      { ...(await signed()), timestamp: Number(START - 1n) },
    ]
    for (const body of decisions) {
      expect(await curate(body)).toMatchObject({
        status: 403,
        body: { error: expect.stringContaining(`service:curate:${vaultId}:`) },
      })
    }
    expect(await statusOf()).toBe('unverified')
  })

  test('by a service without curators, every signature', async () => {
    const none = createApp({ ...api.deps, config: { ...api.deps.config, CURATORS: [] } })
    const body = JSON.stringify(await signed())
    const headers = { 'Content-Type': 'application/json' }
    const path = `/api/sponsored-task-vaults/${vaultId}/curation`
    expect((await none.request(path, { method: 'POST', headers, body })).status).toBe(403)
  })

  test.each([START - 361n, START + 121n])('a timestamp of %s: too old, or too far ahead', async (timestamp) => {
    expect(await curate(await signed({ timestamp }))).toMatchObject({ status: 400, body: { issues: [{}] } })
    const within = timestamp < START ? timestamp + 1n : timestamp - 1n
    expect(await curate(await signed({ timestamp: within }))).toMatchObject({ status: 200 })
  })

  test('an unknown vault', async () => {
    const unknown = aHash()
    expect(await curate(await signed({ of: unknown }), unknown)).toMatchObject({ status: 404 })
    const rows = await api.sql`select from service.vault_curation where vault_id = ${unknown}`
    expect(rows).toEqual([])
  })

  test.each([
    ['status', { status: 'Approved' }],
    ['timestamp', { timestamp: -1 }],
    ['signature', { signature: '0x12' }],
    ['vaultId', { vaultId: aHash() }],
  ])('a wrong %s, with its name', async (field, wrong) => {
    const { status, body } = await curate({ ...(await signed()), ...wrong })
    expect([status, body.issues?.[0]?.path ?? body.error]).toEqual([
      field === 'signature' ? expect.any(Number) : 400,
      expect.stringContaining(field),
    ])
    expect(await statusOf()).toBe('unverified')
  })
})

describe('a claim of a reward', () => {
  async function claim(path: string, body: object) {
    const headers = { 'X-Service-Idempotency-Key': randomUUID() }
    const answer = await api.post(`/api/sponsored-task-vaults/${path}/claim`, body, headers)
    return { status: answer.status, detail: answer.body.service?.detail, fields: answer.body.issues }
  }

  const aBody = () =>
    aClaimOfReward(
      {
        vault: { vaultId, address: vault },
        worker,
        entitlement: { vaultId, taskId, epoch: 1, index: 0, amount: '5', proof: [] },
      },
      { destination: anActor().address, nonce: 0n, deadline: START + 300n },
    )

  test('given a body that names another vault than the path, then it is refused by its field', async () => {
    const message = 'vaultId must be the vault of the path.'
    expect(await claim(vaultId, { ...(await aBody()), vaultId: aHash() })).toEqual({
      status: 400,
      detail: 'other_vault',
      fields: [{ path: 'vaultId', message }],
    })
  })

  test('given a body that names the vault of the path in upper case, then it is the same vault', async () => {
    const upperCase = `0x${vaultId.slice(2).toUpperCase()}`
    expect((await claim(vaultId, { ...(await aBody()), vaultId: upperCase })).detail).not.toBe('other_vault')
  })

  test('given a vault that does not exist, of which no claim can be signed, then it is not found', async () => {
    const unknown = aHash()
    const answer = await claim(unknown, { ...(await aBody()), vaultId: unknown })
    expect(answer).toMatchObject({ status: 404, detail: 'vault_not_found' })
  })
})
