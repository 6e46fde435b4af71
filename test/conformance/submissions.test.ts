import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request as sendHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aSubmissionBody, aTextFile } from '../support/conformance-fixtures.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'
import { aKey } from '../support/paying-client.ts'

const environment = openEnvironment()

describe('Submissions: POST /tasks/{taskId}/submissions', () => {
  test('is free, and returns the id of a submission that is listed in the next read', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const taskId = await environment.createTask(requester)
    const { market, forwarder } = environment.chain.deployment
    const money = await environment.chain.watch({
      alice: alice.address,
      requester: requester.address,
      market,
      forwarder,
    })
    const { status, body } = await environment.post(`/tasks/${taskId}/submissions`, {
      body: await aSubmissionBody(alice, taskId),
    })
    expect({ status, body }).toEqual({ status: 200, body: { success: true, submissionId: expect.any(String) } })
    expect(await money.changes()).toEqual({ alice: 0n, requester: 0n, market: 0n, forwarder: 0n })
    const { body: rows } = await environment.get(`/tasks/${taskId}/submissions`)
    expect(rows).toMatchObject([
      {
        id: body.submissionId,
        taskId,
        workerAddress: alice.account.address,
        rejectedAt: null,
        signature: null,
        workerAgentId: null,
        referenceCode: expect.stringMatching(/^SUB-[0-9A-HJKMNP-TV-Z]{8,}$/),
        deliverableHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        submitTxHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        artifacts: [{ fileName: 'haiku.txt', mimeType: 'text/plain', mediaKind: 'text', displayOrder: 0 }],
      },
    ])
    expect((await environment.get(`/tasks/${taskId}`)).body).toMatchObject({ status: 'open', submissionCount: 1 })
  })

  test('stores files in order, with their roles, sizes and hashes, and serves their exact bytes', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const taskId = await environment.createTask(requester)
    const bytes = Buffer.from(Array.from({ length: 1000 }, (_, index) => index % 256))
    await environment.submit(alice, taskId, [
      aTextFile('source', { fileName: 'source.txt', role: 'source' }),
      {
        fileName: 'Überblick 二.bin',
        mimeType: 'application/octet-stream',
        role: 'final',
        file: bytes.toString('base64'),
      },
      aTextFile('a', { fileName: 'small.txt', role: 'attachment' }),
    ])
    const [row] = (await environment.get(`/tasks/${taskId}/submissions`)).body
    expect(row.artifacts).toMatchObject([
      { fileName: 'source.txt', role: 'source', displayOrder: 0, sizeBytes: 6, submissionId: row.id, taskId },
      { fileName: 'Überblick 二.bin', role: 'final', displayOrder: 1, sizeBytes: 1000, mediaKind: 'unknown' },
      { fileName: 'small.txt', role: 'attachment', displayOrder: 2, sizeBytes: 1 },
    ])
    const [, main] = row.artifacts
    expect(main).toMatchObject({
      sha256Hash: createHash('sha256').update(bytes).digest('hex'),
      keccak256Hash: keccak256(bytes),
      storageUri: `artifact:${main.id}`,
    })
    const served = await environment.fetch(row.fileUrl)
    expect(Buffer.from(await served.arrayBuffer())).toEqual(bytes)
    expect(served.headers.get('content-disposition')).toMatch(/^attachment;/)
  })

  test('accepts a large file, once under one key, and stores its exact bytes', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const taskId = await environment.createTask(requester)
    const bytes = randomBytes(3_000_000)
    const aLargeFile = (content: Buffer) => aTextFile('', { fileName: 'large.bin', file: content.toString('base64') })
    const body = await aSubmissionBody(alice, taskId, [aTextFile(), aLargeFile(bytes)])
    const key = aKey()
    expect((await environment.post(`/tasks/${taskId}/submissions`, { body, key })).status).toBe(200)
    const again = await environment.post(`/tasks/${taskId}/submissions`, { body, key })
    expectRefusal(again, 409, 'idempotency_key_reused')
    const changed = { ...body, artifacts: [aTextFile(), aLargeFile(Buffer.concat([bytes.subarray(1), Buffer.of(0)]))] }
    const other = await environment.post(`/tasks/${taskId}/submissions`, { body: changed, key })
    expectRefusal(other, 409, 'idempotency_key_payload_mismatch')

    const rows = (await environment.get(`/tasks/${taskId}/submissions`)).body
    expect(rows).toMatchObject([{ artifacts: [{}, { sizeBytes: 3_000_000, keccak256Hash: keccak256(bytes) }] }])
    expect(rows[0].artifacts[1].sha256Hash).toBe(createHash('sha256').update(bytes).digest('hex'))
  })

  test('refuses a body beyond 50 MB with 413 before it is sent', async () => {
    const taskId = await environment.createTask(await environment.aWallet())
    const request = sendHeaders(`${environment.baseUrl}/api/tasks/${taskId}/submissions`, {
      method: 'POST',
      headers: { 'X-Service-Idempotency-Key': aKey(), 'Content-Length': String(50 * 1024 * 1024 + 1) },
    })
    request.flushHeaders()
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    const answer = { status: response.statusCode ?? 0, body: JSON.parse(await text(response)) }
    request.destroy()
    expectRefusal(answer, 413, 'unclassified')
  })
})

describe('Submissions: GET /tasks/{taskId}/submissions', () => {
  test('has the worker’s statistics', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const first = await environment.createTask(requester)
    await environment.submit(alice, first)
    expect((await environment.get(`/tasks/${first}/submissions`)).body[0].workerStats).toMatchObject({
      completedTasks: 0,
      ratedTasks: 0,
      averageRating: null,
    })
    await environment.accept(requester, first, alice)
    expect((await environment.get(`/tasks/${first}/submissions`)).body[0].workerStats).toMatchObject({
      completedTasks: 1,
    })
  })
})

describe('Submissions: GET /tasks/{taskId}/artifacts/{artifactId}/preview', () => {
  test('returns an expiring URL of the file’s bytes', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const taskId = await environment.createTask(requester)
    await environment.submit(alice, taskId, [aTextFile('Seventeen syllables')])
    const [row] = (await environment.get(`/tasks/${taskId}/submissions`)).body
    const { status, body } = await environment.get(`/tasks/${taskId}/artifacts/${row.artifacts[0].id}/preview`)
    expect(status).toBe(200)
    expect(Date.parse(body.previewExpiresAt) / 1000).toBeGreaterThan(Number(await environment.chain.headTime()))
    expect(await (await environment.fetch(body.previewUrl)).text()).toBe('Seventeen syllables')
  })

  test('does not serve a URL that was changed', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const taskId = await environment.createTask(requester)
    await environment.submit(alice, taskId)
    const [row] = (await environment.get(`/tasks/${taskId}/submissions`)).body
    const { body } = await environment.get(`/tasks/${taskId}/artifacts/${row.artifacts[0].id}/preview`)
    const url = new URL(body.previewUrl)
    url.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 1))
    const response = await environment.fetch(url)
    expectRefusal({ status: response.status, body: await response.json() }, 403, 'unclassified')
  })
})
