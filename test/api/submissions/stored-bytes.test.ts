import { randomUUID } from 'node:crypto'
import type { Address, Hex } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import {
  ByteQuotaError,
  chargeProvenBytes,
  chargeProvenUploads,
  chargeUpload,
  countArrivingBytes,
  mostBytesOf,
} from '../../../api/artifacts/byte-accounts.ts'
import {
  bindByteCharges,
  deleteChargesOfEndedTasks,
  deleteUnusedCharges,
} from '../../../api/artifacts/byte-charges.queries.ts'
import { connectDatabase } from '../../../api/db/client.ts'
import { anActor } from '../../support/actors.ts'
import { aSubmissionBody } from '../../support/conformance-fixtures.ts'
import { aHash, anIntent } from '../../support/rows/insert-row.ts'
import { aStartedApi } from '../writes/started-api.ts'

/** The bytes that a worker may store; a client has 5,000,000, a worker and task without a reward 500,000. */
const DAY_BYTES = 1_000_000
const MIB = 1024 * 1024

const api = aStartedApi({ WORKER_BYTES_PER_DAY: String(DAY_BYTES) })
beforeEach(async () => {
  await api.sql`truncate service.byte_charges`
})

const requester = anActor().address
const aTask = async () => (await api.seed.task({ requester })).id
const ofOpenTask = (): { taskId: Hex; reward: bigint } => ({ taskId: aHash(), reward: 0n })

/** `fits`, or the sentence of the refusal. */
async function outcomeOf(charging: Promise<unknown>): Promise<string> {
  try {
    await charging
    return 'fits'
  } catch (error) {
    if (!(error instanceof ByteQuotaError)) throw error
    if (error.retryAfterSeconds !== null) expect(error.retryAfterSeconds).toBeGreaterThan(0)
    return error.message
  }
}

const deliver = (
  worker: Address,
  sizeBytes: number,
  { client = 'home', ...task } = { ...ofOpenTask(), client: 'home' },
) => {
  const arriving = countArrivingBytes(api.deps, client)
  return { arriving, outcome: outcomeOf(chargeProvenBytes(api.deps, arriving, { worker, ...task, sizeBytes })) }
}

test('given the defaults, then a fresh account takes the largest upload and body, and a reward makes room', () => {
  const of = (kind: 'client' | 'worker' | 'task', reward = 0n) => mostBytesOf(kind, 2 * 1024 * MIB, reward)
  expect(of('client')).toBe(BigInt(10 * 1024 * MIB))
  expect(of('worker')).toBe(BigInt(2 * 1024 * MIB))
  expect(of('task')).toBe(BigInt(1024 * MIB))
  expect(of('task', 1_000_000n)).toBe(BigInt((1024 + 50) * MIB))
  expect(of('task', 20_000_000n)).toBe(BigInt((1024 + 1000) * MIB))
  // The database compares it as int8, whatever the market can book.
  expect(of('task', 2n ** 72n - 1n)).toBe(2n ** 63n - 1n)
})

describe('a body with files', () => {
  const submit = async (body: string | ReadableStream<Uint8Array>, headers: Record<string, string> = {}) => {
    const response = await api.app.request(`/api/tasks/${await aTask()}/submissions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Service-Idempotency-Key': randomUUID(), ...headers },
      body,
      duplex: 'half',
    } as RequestInit)
    return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) }
  }

  test('given a length beyond what the client may store, then it is 429 before it is read', async () => {
    const body = JSON.stringify({ artifacts: [{ file: 'QUJD'.repeat(1_300_000) }] })
    const answer = await submit(body, { 'Content-Length': String(body.length) })
    expect(answer).toMatchObject({ status: 429, body: { service: { detail: 'byte_quota' } } })
    expect([answer.headers.get('retry-after'), answer.body.error]).toEqual([
      null,
      expect.stringMatching(/a day; send less\.$/),
    ])
  })

  test('given no length, then it is stopped while it arrives', async () => {
    let sentBytes = 0
    const endless = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from('{"artifacts":[{"file":"')),
      pull: (controller) => {
        sentBytes += 65_536
        controller.enqueue(Buffer.from('QUJD'.repeat(16_384)))
      },
    })
    expect(await submit(endless)).toMatchObject({ status: 429, body: { service: { detail: 'byte_quota' } } })
    expect(sentBytes).toBeGreaterThan(3_000_000)
    expect(sentBytes).toBeLessThan(6_000_000)
  })

  test('given a worker who is not proven, then only the client is charged, and gets the bytes back', async () => {
    const [alice, taskId] = [anActor(), await aTask()]
    const body = { ...(await aSubmissionBody(alice, taskId)), workerAddress: anActor().address }
    const answer = await api.post(`/api/tasks/${taskId}/submissions`, body, {
      'X-Service-Idempotency-Key': randomUUID(),
    })
    expect(answer.status).toBe(403)
    expect(await api.sql`select from service.byte_charges`).toHaveLength(0)
  })

  test('given a proven worker without room, then it is 429 and no file is stored', async () => {
    const [alice, taskId] = [anActor(), await aTask()]
    const outcomes = [await deliver(alice.address, 500_000).outcome, await deliver(alice.address, 500_000).outcome]
    expect(outcomes).toEqual(['fits', 'fits'])
    const answer = await api.post(`/api/tasks/${taskId}/submissions`, await aSubmissionBody(alice, taskId), {
      'X-Service-Idempotency-Key': randomUUID(),
    })
    expect(answer).toMatchObject({ status: 429, body: { service: { detail: 'byte_quota' } } })
    expect(answer.body.error).toContain('This worker may store 1000000 bytes a day')
    expect(await api.sql`select from service.stored_files`).toHaveLength(0)
    expect(await api.sql`select from service.byte_charges`).toHaveLength(2)
  })

  test('given bodies that arrive at once at two processes, then no more are let in than fit', async () => {
    const sql = connectDatabase({
      url: api.deps.config.DATABASE_URL,
      max: 4,
    })
    const arrivals = Array.from({ length: 12 }, (_, index) =>
      countArrivingBytes(index % 2 === 0 ? api.deps : { ...api.deps, sql }, 'one'),
    )
    const outcomes = await Promise.all(arrivals.map((arrival) => outcomeOf(arrival.reserve(1_000_000))))
    await sql.end()
    expect(outcomes.filter((outcome) => outcome === 'fits')).toHaveLength(5)
  })
})

describe('the accounts', () => {
  test('a worker has one day of bytes, from whichever client, and shares it with no worker', async () => {
    const [alice, bob] = [anActor().address, anActor().address]
    expect(await deliver(alice, 400_000).outcome).toBe('fits')
    expect(await deliver(alice, 400_000, { ...ofOpenTask(), client: 'elsewhere' }).outcome).toBe('fits')
    expect(await deliver(alice, 200_001, { ...ofOpenTask(), client: 'third' }).outcome).toContain(
      'This worker may store',
    )
    expect(await deliver(bob, 400_000).outcome).toBe('fits')
    await api.sql`update service.byte_charges set created_at = created_at - interval '1 day'`
    expect(await deliver(alice, 500_000).outcome).toBe('fits')
  })

  test('a worker and task have theirs in all, which no day refills and the reward enlarges', async () => {
    const [alice, task] = [anActor().address, { ...ofOpenTask(), client: 'home' }]
    expect(await deliver(alice, 500_000, task).outcome).toBe('fits')
    await api.sql`update service.byte_charges set created_at = created_at - interval '30 days'`
    expect(await deliver(alice, 1, task).outcome).toBe(
      'This worker may store 500000 bytes for this task in all; send less.',
    )
    // A USDC makes room for a fortieth of a day: 50 MiB of 2 GiB.
    expect(await deliver(alice, 24_414, { ...task, reward: 1_000_000n }).outcome).toBe('fits')
    expect(await deliver(anActor().address, 500_000, task).outcome).toBe('fits')
  })

  test('given uploads that are not submitted, then the bytes of a task fit when these stop to count', async () => {
    const [alice, task] = [anActor().address, { ...ofOpenTask(), client: 'home' }]
    expect(await deliver(alice, 100_000, task).outcome).toBe('fits')
    const upload = (sizeBytes: number) => ({ id: randomUUID(), worker: alice, sizeBytes, ...task })
    const charge = (bytes: ReturnType<typeof upload>) =>
      outcomeOf(api.sql.begin((tx) => chargeUpload(tx, api.deps.config, bytes)))
    const earlier = upload(400_000)
    expect(await charge(earlier)).toBe('fits')
    await api.sql`update service.byte_charges set created_at = now() - interval '23 hours' where id = ${earlier.id}`
    expect(await charge(upload(1))).toMatch(/ in all; try again in 3[56]\d\d seconds, or send less\.$/)
    // More than what is delivered leaves.
    expect(await charge(upload(400_001))).toMatch(/ in all; send less\.$/)
  })

  test('given tasks that ended, then their bytes are deleted a month later, and those of a running task stay', async () => {
    const alice = anActor().address
    const now = BigInt(Math.floor(Date.now() / 1_000))
    const [running, recent, old] = [
      await aTask(),
      (await api.seed.task({ requester, endedAt: now - 29n * 86_400n })).id,
      (await api.seed.task({ requester, endedAt: now - 31n * 86_400n })).id,
    ]
    for (const taskId of [running, recent, old]) {
      expect(await deliver(alice, 100, { taskId, reward: 0n, client: 'home' }).outcome).toBe('fits')
    }
    expect(await deleteChargesOfEndedTasks(api.sql, { limit: 10 })).toBe(0)
    await api.sql`update service.byte_charges set created_at = created_at - interval '31 days'`
    expect(await deleteChargesOfEndedTasks(api.sql, { limit: 10 })).toBe(1)
    const rows = await api.sql<{ taskId: Hex }[]>`select task_id from service.byte_charges`
    expect(rows.map(({ taskId }) => taskId).toSorted()).toEqual([running, recent].toSorted())
  })

  test('deliveries of one worker at once get no more than fits', async () => {
    const alice = anActor().address
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => deliver(alice, 300_000).outcome))
    expect(outcomes.filter((outcome) => outcome === 'fits')).toHaveLength(3)
  })

  test('a write that fails on chain gives its bytes back, and so does one that was never bound', async () => {
    const alice = anActor().address
    const [failed, unbound] = [deliver(alice, 500_000), deliver(alice, 500_000)]
    expect([await failed.outcome, await unbound.outcome]).toEqual(['fits', 'fits'])
    const intentId = await anIntent(api.sql, 'submissions.create', 'recorded')
    await api.sql.begin((tx) => bindByteCharges(tx, [failed.arriving.id], intentId))
    expect(await deliver(alice, 1).outcome).toContain('This worker')
    await api.sql`update service.intents set status = 'failed' where id = ${intentId}`
    expect(await deliver(alice, 500_000).outcome).toBe('fits')

    await api.sql`update service.byte_charges set created_at = created_at - interval '25 hours'`
    expect(await deleteUnusedCharges(api.sql, { retentionSeconds: 60, limit: 10 })).toBe(2)
    expect(await api.sql`select intent_id from service.byte_charges`).toEqual([{ intentId }])
  })

  test('a write that fails after a direct call of the worker committed to its files keeps them, and their count', async () => {
    const [alice, taskId, intentId] = [
      anActor().address,
      await aTask(),
      await anIntent(api.sql, 'submissions.create', 'failed'),
    ]
    const { arriving, outcome } = deliver(alice, 500_000)
    expect(await outcome).toBe('fits')
    await api.sql.begin((tx) => bindByteCharges(tx, [arriving.id], intentId))
    const { deliverable } = await api.seed.submission(taskId, alice, { files: null })
    await api.sql`
      insert into service.submission_content (task_id, worker, deliverable, intent_id, manifest, signature)
      values (${taskId}, ${alice}, ${deliverable}, ${intentId}, '{}', '0x51')`
    expect(await deliver(alice, 400_000).outcome).toBe('fits')
    expect(await deliver(alice, 100_001).outcome).toContain('This worker may store')
  })

  test('a stranger who asks for upload URLs with a public signature uses nothing up that is the worker’s', async () => {
    const [alice, task] = [anActor().address, ofOpenTask()]
    const upload = async (client: string, sizeBytes: number) => {
      const id = randomUUID()
      const asked = { id, client, worker: alice, ...task, sizeBytes }
      return { id, outcome: await outcomeOf(api.sql.begin((tx) => chargeUpload(tx, api.deps.config, asked))) }
    }
    expect((await upload('stranger', 500_000)).outcome).toBe('fits')
    expect((await upload('stranger', 1)).outcome).toContain('for this task')
    const { id, outcome } = await upload('home', 300_000)
    expect(outcome).toBe('fits')
    // Charged to the worker once, with the submission.
    await api.sql`
      insert into service.uploads (id, task_id, worker, client, file_name, mime_type, role, size_bytes, expires_at)
      values (${id}, ${task.taskId}, ${alice}, 'home', 'a', 'text/plain', 'final', 300000, now())`
    const submit = () => outcomeOf(chargeProvenUploads(api.deps, [id], { worker: alice, ...task, sizeBytes: 300_000 }))
    expect([await submit(), await submit()]).toEqual(['fits', 'fits'])
    expect(await deliver(alice, 200_001, { ...task, client: 'home' }).outcome).toContain('for this task')
    expect(await deliver(alice, 200_000, { ...task, client: 'home' }).outcome).toBe('fits')
  })
})
