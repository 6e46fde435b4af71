import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { anActor } from '../../support/actors.ts'
import { addVault, aVault, type FakeVault, vaultContracts } from '../../support/fake-vaults.ts'
import { decodeFundingTerms } from '../../support/funding-terms.ts'
import { aStartedApi } from '../writes/started-api.ts'

const [manager, alice] = [anActor(), anActor()]
const { vaultId } = aVault
const unknownId = `0x${'cd'.repeat(32)}` as const
const hook = vaultContracts.sponsoredTasksHook
const terms = { reward: '2000000', duration: 24, tags: ['haiku'] }
const body = { managerAddress: manager.address, grossAmount: '1000', ...terms }
const urlOf = (id: string, name: string) => `/api/sponsored-task-vaults/${id}/${name}`

const [api, bare] = [aStartedApi(), aStartedApi()]
let asked: unknown[]
beforeEach(() => onChain({}))

function onChain(vault: Partial<FakeVault>): void {
  asked = []
  addVault(api, { ...aVault, ...vault }, asked)
}

const preview = (query: Record<string, string>, { id = vaultId as string, on = api } = {}) =>
  on.get(`${urlOf(id, 'preview-funding')}?${new URLSearchParams(query)}`)
const build = (fields: object, { id = vaultId as string, on = api, headers = {} } = {}) =>
  on.post(urlOf(id, 'build-funding-hook-data'), fields, headers)
const ask = (procedure: string, input: object) =>
  api.get(`/trpc/sponsoredTaskVaults.${procedure}?input=${encodeURIComponent(JSON.stringify(input))}`)

describe('GET /sponsored-task-vaults/{vaultId}/preview-funding', () => {
  const query = { managerAddress: manager.address, grossAmount: '1000' }

  test('given no problem, then it is ok, by one view of the hook', async () => {
    expect(await preview(query)).toMatchObject({ status: 200, body: { ok: true, failures: [] } })
    expect(asked).toEqual([['problemsOf', vaultId, manager.address, 1000n]])
  })

  test('given several problems, then all of them in the order of the interface', async () => {
    onChain({ problems: 0b1100_0110n })
    const failures = [
      'VAULT_NOT_ACTIVE',
      'MANAGER_NOT_ACTIVE',
      'HOOK_NOT_AUTHORIZED_CHARGER',
      'INSUFFICIENT_FEE_CREDIT',
    ]
    expect((await preview(query)).body).toEqual({ ok: false, failures })
    expect((await ask('previewFunding', { vaultId, ...query })).body.result.data).toEqual({ ok: false, failures })
  })

  test('given a deployment without the hook, then it is not configured for any vault', async () => {
    const answer = await preview(query, { on: bare })
    expect(answer).toMatchObject({ status: 200, body: { ok: false, failures: ['HOOK_NOT_CONFIGURED'] } })
  })

  test('given an id of no vault, then it is not found', async () => {
    const { status, body: answer } = await preview(query, { id: unknownId })
    expect([status, answer.code, answer.service.detail]).toEqual([404, 'NOT_FOUND', 'vault_not_found'])
    expect(answer.error).toBe(`There is no vault ${unknownId}.`)
  })

  test.each([
    ['grossAmount', { ...query, grossAmount: '0' }],
    ['grossAmount', { ...query, grossAmount: (2n ** 256n).toString() }],
    ['managerAddress', { ...query, managerAddress: '0x12' }],
  ])('given a wrong %s, then it is named', async (field, wrong) => {
    expect(await preview(wrong as Record<string, string>)).toMatchObject({
      status: 400,
      body: { service: { reason: 'unclassified' }, issues: [{ path: field }] },
    })
    expect(asked).toEqual([])
  })

  test('given the largest amount that a call can name, then the chain is asked', async () => {
    const grossAmount = (2n ** 256n - 1n).toString()
    expect((await preview({ ...query, grossAmount })).status).toBe(200)
  })
})

describe('POST /sponsored-task-vaults/{vaultId}/build-funding-hook-data', () => {
  test('given the terms of a task, then hook and hook data, from the chain as it is now', async () => {
    onChain({ feeBps: 750, epoch: 7n })
    const { status, body: built } = await build({ vaultId, ...body })
    expect([status, built.hookAddress.toLowerCase()]).toEqual([200, hook])
    const { manager: named, ...decoded } = decodeFundingTerms(built.hookData)
    expect(named.toLowerCase()).toBe(manager.address)
    expect(decoded).toMatchObject({ version: 1n, vaultId, gross: 1000n, epoch: 7n, feeBps: 750n })
    expect(asked).toEqual([['vaultOf', vaultId], ['epoch'], ['feeBps'], ['defaultHooks']])
  })

  test('given other tags, hooks or default hooks, then another terms hash; given other tags of a private task, then the same', async () => {
    const hashOf = async (fields: object) =>
      decodeFundingTerms((await build({ ...body, ...fields })).body.hookData).termsHash
    const plain = await hashOf({})
    expect(await hashOf({ tags: [] })).not.toBe(plain)
    expect(await hashOf({ hookContracts: [alice.address] })).not.toBe(plain)
    expect(await hashOf({ hookContracts: [] })).toBe(plain)
    const hidden = await hashOf({ taskVisibility: 'private' })
    expect(await hashOf({ taskVisibility: 'private', tags: [] })).toBe(hidden)
    expect(await hashOf({ tags: [] })).toBe(hidden)
    onChain({ defaultHooks: [alice.address] })
    expect(await hashOf({})).not.toBe(plain)
  })

  test('given the procedure, then it answers the same', async () => {
    const { body: built } = await build(body)
    expect((await ask('buildFundingHookData', { vaultId, ...body })).body).toEqual({ result: { data: built } })
  })

  test('given a deployment without the hook, then it is refused with what is missing', async () => {
    expect(await build(body, { on: bare })).toMatchObject({
      status: 409,
      body: { service: { reason: 'unclassified' }, error: expect.stringContaining('no hook of sponsored tasks') },
    })
  })

  test('given an id of no vault, then it is not found', async () => {
    expect(await build(body, { id: unknownId })).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } })
  })

  test.each([
    ['vaultId', { vaultId: unknownId }],
    ['grossAmount', { grossAmount: (2n ** 128n).toString() }],
    ['managerAddress', { managerAddress: 'me' }],
    ['hookContracts', { hookContracts: [alice.address, hook] }],
  ])('given a wrong %s, then it is named, as a creation would', async (field, wrong) => {
    expect(await build({ ...body, ...wrong })).toMatchObject({
      status: 400,
      body: { service: { reason: 'payment_preflight_rejected' }, issues: [{ path: field }] },
    })
  })

  test('given an evaluator or a resolver that is the manager, then it is refused as the creation would be', async () => {
    const judged = { evaluator: alice.address, disputeResolver: manager.address }
    for (const [field, people] of [
      ['evaluator', { evaluator: manager.address }],
      ['disputeResolver', judged],
    ] as const) {
      expect(await build({ ...body, ...people })).toMatchObject({
        status: 403,
        body: { service: { reason: 'payment_preflight_rejected' }, issues: [{ path: field }] },
      })
    }
  })

  // `test/unit/domain/creation/admit-creation.test.ts` has the rules.
  test.each<object>([
    { reward: '999' },
    { mode: 'raffle' },
    { hookContracts: Array.from({ length: 8 }, (_, index) => `0x${`1${index}`.repeat(20)}`) },
    { evaluator: alice.address, disputeResolver: alice.address },
  ])('given %j, then it is refused in the words of the creation', async (wrong) => {
    const fields = { ...terms, ...wrong }
    const { hookContracts = [] } = wrong as { hookContracts?: string[] }
    const creation = { description: 'Write a haiku', ...fields, hookContracts: [...hookContracts, hook] }
    const created = await api.post('/api/tasks', creation, { 'X-Service-Idempotency-Key': randomUUID() })
    const built = await build({ ...body, ...fields })
    expect(built.status).toBe(400)
    expect([built.status, built.body]).toEqual([created.status, created.body])
    const called = await ask('buildFundingHookData', { vaultId, ...body, ...fields })
    expect(called.body.error).toMatchObject({
      message: built.body.error,
      data: { httpStatus: 400, service: built.body.service, issues: built.body.issues },
    })
  })

  test('given unknown fields and strict handling, then they are refused; without, then they are named', async () => {
    const unknown = { ...body, description: 'not a term' }
    expect((await build(unknown)).headers.get('x-service-ignored')).toBe('description')
    const strict = await build(unknown, { headers: { Prefer: 'handling=strict' } })
    expect(strict).toMatchObject({ status: 400, body: { service: { reason: 'payment_preflight_rejected' } } })
  })

  test('given a request, then it counts as a read', async () => {
    const { headers } = await build(body)
    expect(headers.get('ratelimit')).toContain('"reads"')
  })
})
