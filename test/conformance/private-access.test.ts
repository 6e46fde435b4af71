import type { Hex } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Actor, anActor, expiringReadHeadersOf } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aClaimBody, aClaimTask, aSubmissionBody, aTaskBody } from '../support/conformance-fixtures.ts'
import { aKey } from '../support/paying-client.ts'

const environment = openEnvironment()

const accessPassword = 'eight+ characters'
const [alice, stranger] = [anActor(), anActor()]

let requester: Actor
beforeAll(async () => {
  requester = await environment.aWallet()
})

const aPrivateTask = (fields: Record<string, unknown>) =>
  environment.createTask(requester, { taskVisibility: 'private', ...fields })

const viewersPath = (taskId: Hex, viewer?: Actor) =>
  `/tasks/${taskId}/private-access/viewers${viewer === undefined ? '' : `/${viewer.account.address}`}`

const invite = (taskId: Hex, viewer: Actor, as: Actor = requester) =>
  environment.post(viewersPath(taskId), { body: { viewerAddress: viewer.account.address }, key: null, as })

async function removeViewer(taskId: Hex, viewer: Actor, as: Actor): Promise<{ status: number; body: unknown }> {
  const headers = await expiringReadHeadersOf(as, {
    baseUrl: environment.baseUrl,
    now: await environment.chain.headTime(),
  })
  const answer = await environment.fetch(`${environment.baseUrl}/api${viewersPath(taskId, viewer)}`, {
    method: 'DELETE',
    headers,
  })
  return { status: answer.status, body: await answer.json() }
}

const canSee = async (taskId: Hex, options?: { as?: Actor; headers?: Record<string, string> }) =>
  (await environment.get(`/tasks/${taskId}`, options)).body !== null

describe('POST /tasks: private', () => {
  test('has neither tags nor the listing flag on chain', async () => {
    const key = aKey()
    const body = aTaskBody({ taskVisibility: 'private', allowedViewers: [alice.address], tags: ['secret'] })
    await environment.pay(requester, '/tasks', body, key)
    const { txHash } = (await environment.get(`/intents?idempotencyKey=${key}`, { as: requester })).body
    const created = (await environment.chain.marketLogs(txHash)).find(({ eventName }) => eventName === 'TaskCreated')
    expect(created?.args).toMatchObject({ terms: { tags: [], listed: false } })
  })
})

describe('Private access: allowlist', () => {
  test('wallets invited at creation or later can view until they are removed', async () => {
    const bob = anActor()
    const taskId = await aPrivateTask({ allowedViewers: [alice.account.address] })
    expect(await canSee(taskId, { as: alice })).toBe(true)
    expect(await canSee(taskId, { as: bob })).toBe(false)
    const added = await invite(taskId, bob)
    expect(added.body).toEqual({
      viewerAddress: bob.account.address,
      addedBy: requester.account.address,
      createdAt: expect.any(String),
    })
    expect(await canSee(taskId, { as: bob })).toBe(true)
    const { body: list } = await environment.get(viewersPath(taskId), { as: requester })
    expect(list).toEqual([expect.objectContaining({ viewerAddress: alice.account.address }), added.body])
    expect(await removeViewer(taskId, bob, requester)).toEqual({ status: 200, body: { success: true } })
    expect(await canSee(taskId, { as: bob })).toBe(false)
  })
})

describe('Private access: POST /tasks/{taskId}/private-access/verify', () => {
  test('requires no identity; success returns a grant that is valid 24 hours', async () => {
    const taskId = await aPrivateTask({ accessPassword })
    const before = await environment.chain.headTime()
    const { status, body } = await environment.post(`/tasks/${taskId}/private-access/verify`, {
      body: { taskId, password: accessPassword },
      key: null,
    })
    const after = await environment.chain.headTime()
    expect({ status, keys: Object.keys(body).sort() }).toEqual({ status: 200, keys: ['expiresAt', 'grant'] })
    const expiresAt = BigInt(Date.parse(body.expiresAt)) / 1000n - 86_400n
    expect(expiresAt).toBeGreaterThanOrEqual(before)
    expect(expiresAt).toBeLessThanOrEqual(after)
    const headers = { 'X-Service-Task-Access-Grant': body.grant }
    expect([await canSee(taskId), await canSee(taskId, { headers })]).toEqual([false, true])
  })
})

describe('Private access: viewing is not participating', () => {
  test('an allowlisted wallet can claim, and after its claim can view and deliver without being on the list', async () => {
    const bob = anActor()
    const taskId = await aPrivateTask({ ...aClaimTask(), allowedViewers: [bob.account.address] })
    const claim = await environment.post(`/tasks/${taskId}/claim`, { body: await aClaimBody(bob, taskId) })
    expect(claim.status).toBe(200)
    await removeViewer(taskId, bob, requester)
    expect(await canSee(taskId, { as: bob })).toBe(true)
    const body = await aSubmissionBody(bob, taskId)
    expect((await environment.post(`/tasks/${taskId}/submissions`, { body })).status).toBe(200)
    await environment.accept(requester, taskId, bob)
    expect(await canSee(taskId, { as: bob })).toBe(true)
    expect(await canSee(taskId, { as: stranger })).toBe(false)
  })
})
