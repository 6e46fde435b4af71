import { getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { writes } from '../../api/server/routes.ts'
import { anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aSubmissionBody } from '../support/conformance-fixtures.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'

const environment = openEnvironment()

/** Calls `visit` with every field of a JSON value, at any depth. */
function forEachField(value: unknown, visit: (name: string, value: unknown) => void): void {
  if (typeof value !== 'object' || value === null) return
  for (const [name, field] of Object.entries(value)) {
    visit(name, field)
    forEachField(field, visit)
  }
}

/** The answers of every route that shows a task with all kinds of content. */
async function richAnswers(): Promise<unknown[]> {
  const [requester, alice, bob] = [await environment.aWallet(), anActor(), anActor()]
  const taskId = await environment.createTask(requester)
  await environment.submit(alice, taskId)
  await environment.submit(bob, taskId)
  await environment.reject(requester, taskId, bob)
  await environment.accept(requester, taskId, alice)
  await environment.rate(requester, taskId, { worker: alice, rating: 80 })
  const paths = [`/tasks/${taskId}`, `/tasks/${taskId}/submissions`, `/tasks/${taskId}/feedbacks`, '/tasks']
  return await Promise.all(paths.map(async (path) => (await environment.get(path)).body))
}

describe('General conventions', () => {
  test('ids and hashes are lower-case 32-byte hex, addresses EIP-55, amounts digits, timestamps ISO 8601', async () => {
    const seen = new Set<string>()
    forEachField(await richAnswers(), (name, value) => {
      if (typeof value !== 'string') return
      const check = (kind: string, holds: boolean) => {
        seen.add(kind)
        expect(holds, `${name}: ${value}`).toBe(true)
      }
      if (/^(taskId|submissionId|\w+TxHash|deliverableHash)$/.test(name)) check('hash', /^0x[0-9a-f]{64}$/.test(value))
      if (/Address$|^requester$|^claimedBy$/.test(name)) check('address', value === getAddress(value))
      if (/^(reward|netReward|\w+Amount|workerPayment|platformFee)$/.test(name)) check('amount', /^\d+$/.test(value))
      if (/^(createdAt|expiryTime|settledAt|submittedAt|rejectedAt|\w+ExpiresAt)$/.test(name)) {
        check('timestamp', new Date(value).toISOString() === value)
      }
    })
    expect([...seen].sort()).toEqual(['address', 'amount', 'hash', 'timestamp'])
  })

  test('createdAt is strictly increasing over tasks, also of the same block', async () => {
    const requester = await environment.aWallet()
    const ids = [
      await environment.createTask(requester),
      await environment.createTask(requester),
      await environment.createTask(requester),
    ]
    const times = await Promise.all(
      ids.map(async (id) => Date.parse((await environment.get(`/tasks/${id}`)).body.createdAt)),
    )
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
  })
})

describe('Transport', () => {
  test('accepts ids and addresses in any letter case', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const taskId = await environment.createTask(requester)
    const body = await aSubmissionBody(alice, taskId)
    const upper = (hex: string) => `0x${hex.slice(2).toUpperCase()}`
    const answer = await environment.post(`/tasks/${upper(taskId)}/submissions`, {
      body: { ...body, taskId: upper(taskId), workerAddress: upper(alice.address) },
    })
    expect(answer.status).toBe(200)
    const accepted = await environment.pay(requester, `/tasks/${upper(taskId)}/accept`, {
      worker: upper(alice.address),
    })
    expect(accepted.status).toBe(200)
  })

  test('requires the idempotency key on every relayed write, before anything else', async () => {
    for (const { path: pattern } of writes) {
      const path = pattern.replace('/api', '').replace(/\{\w+\}/g, `0x${'00'.repeat(32)}`)
      expectRefusal(await environment.post(path, { key: null, body: 'not even JSON' }), 400, 'idempotency_key_required')
      expectRefusal(await environment.post(path, { key: 'not-a-uuid', body: {} }), 400, 'idempotency_key_required')
    }
  })
})
