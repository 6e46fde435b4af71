import { type Hex, keccak256 } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aSubmissionBody } from '../support/conformance-fixtures.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'
import {
  aFromKeysBody,
  aLocalFile,
  anUploadRequest,
  type KeyedFile,
  type LocalFile,
  toKeyedFile,
} from '../support/uploads.ts'

const environment = openEnvironment()

const pathOf = (taskId: Hex) => `/tasks/${taskId}/submissions/from-keys`

/** Requests a URL without an idempotency key: this is not a relayed write. */
async function askFor(worker: Actor, taskId: Hex, file: LocalFile) {
  const path = `/tasks/${taskId}/submissions/request-upload-url`
  const { status, body } = await environment.post(path, {
    body: await anUploadRequest(worker, taskId, file),
    key: null,
  })
  if (status !== 200) throw new Error(`no URL: ${status} ${JSON.stringify(body)}`)
  return body
}

/** Requests a URL, and PUTs the bytes to it. */
async function upload(worker: Actor, taskId: Hex, file = aLocalFile()): Promise<KeyedFile> {
  const { uploadUrl, uploadHeaders, artifactKey } = await askFor(worker, taskId, file)
  const { status } = await environment.fetch(uploadUrl, { method: 'PUT', headers: uploadHeaders, body: file.bytes })
  if (status !== 200) throw new Error(`the upload was answered ${status}`)
  return toKeyedFile(artifactKey, file)
}

const aTaskOf = async (requester?: Actor) => await environment.createTask(requester ?? (await environment.aWallet()))
const submitKeys = async (worker: Actor, taskId: Hex, files: KeyedFile[], signed?: 'bound') =>
  await environment.post(pathOf(taskId), { body: await aFromKeysBody(worker, taskId, files, signed) })

describe('Submissions: request-upload-url, PUT and from-keys', () => {
  test('are free, and create a submission that is listed with its files and anchored by its manifest', async () => {
    const [requester, alice] = [await environment.aWallet(), anActor()]
    const taskId = await aTaskOf(requester)
    const { market, forwarder } = environment.chain.deployment
    const money = await environment.chain.watch({
      alice: alice.address,
      requester: requester.address,
      market,
      forwarder,
    })
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251))
    const file = await upload(alice, taskId, { fileName: 'Blätter.bin', mimeType: 'application/x-leaves', bytes })
    const answer = await submitKeys(alice, taskId, [file])
    expect(answer.body).toEqual({ success: true, submissionId: expect.any(String) })
    expect(await money.changes()).toEqual({ alice: 0n, requester: 0n, market: 0n, forwarder: 0n })

    const [row] = (await environment.get(`/tasks/${taskId}/submissions`)).body
    expect(row).toMatchObject({
      id: answer.body.submissionId,
      artifacts: [{ fileName: 'Blätter.bin', role: 'final', sizeBytes: 100_000, sha256Hash: file.sha256Hash }],
    })
    expect(await environment.chain.isCommitted(taskId, alice.address, row.deliverableHash)).toBe(true)
    const { text } = await environment.get(`/tasks/${taskId}/submissions/${row.id}/manifest`)
    expect(keccak256(Buffer.from(text))).toBe(row.deliverableHash)
    expect(JSON.parse(text).artifacts).toMatchObject([{ keccak256Hash: file.keccak256Hash }])
    expect(Buffer.from(await (await environment.fetch(row.fileUrl)).arrayBuffer())).toEqual(bytes)
  })

  test('are paid by the worker after the free allowance, which both kinds of submission use, and refused at the ceiling', async () => {
    const [alice, bob] = [await environment.aWallet(), await environment.aWallet()]
    const taskId = await aTaskOf()
    const { limits } = (await environment.get('/health')).body
    await submitKeys(alice, taskId, [await upload(alice, taskId)])
    for (let count = 1; count < limits.freeSubmissionAllowance; count += 1) await environment.submit(alice, taskId)

    const money = await environment.chain.watch({ alice: alice.address, bob: bob.address })
    const bodies: unknown[] = []
    for (let count = limits.freeSubmissionAllowance; count < limits.hardSubmissionCeiling; count += 1) {
      bodies.push(await aFromKeysBody(alice, taskId, [await upload(alice, taskId)]))
    }
    const last = await aFromKeysBody(alice, taskId, [await upload(alice, taskId)])
    const [first] = bodies
    const lie = { ...last, artifacts: [{ ...(last.artifacts as KeyedFile[])[0], sha256Hash: 'ab'.repeat(32) }] }
    expectRefusal(await environment.pay(alice, pathOf(taskId), lie), 400, 'payment_preflight_rejected')
    expectRefusal(await environment.pay(bob, pathOf(taskId), first), 403, 'payment_payer_mismatch')
    expect(await money.changes()).toEqual({ alice: 0n, bob: 0n })
    for (const body of bodies) expect((await environment.pay(alice, pathOf(taskId), body)).status).toBe(200)
    expect(await money.changes()).toEqual({ alice: BigInt(bodies.length) * -1_000n, bob: 0n })

    expectRefusal(await environment.post(pathOf(taskId), { body: last }), 429, 'unclassified')
    const request = await anUploadRequest(alice, taskId)
    expectRefusal(
      await environment.post(`/tasks/${taskId}/submissions/request-upload-url`, { body: request }),
      429,
      'unclassified',
    )
  })
})

describe('Submissions: a signature bound to the files', () => {
  test('is on chain with their keys, and invalidates the signature without files', async () => {
    const [taskId, alice] = [await aTaskOf(), anActor()]
    const files = [await upload(alice, taskId), await upload(alice, taskId)]
    const plain = await aSubmissionBody(alice, taskId)
    expect((await submitKeys(alice, taskId, files, 'bound')).status).toBe(200)
    const [{ submitTxHash }] = (await environment.get(`/tasks/${taskId}/submissions`)).body
    const { input } = (await environment.chain.request('eth_getTransactionByHash', [submitTxHash])) as { input: Hex }
    const suffix = `:${files.map(({ artifactKey }) => artifactKey).join(',')}`
    expect(Buffer.from(input.slice(2), 'hex').includes(suffix)).toBe(true)

    expectRefusal(
      await environment.post(`/tasks/${taskId}/submissions`, { body: plain }),
      403,
      'payment_preflight_rejected',
    )
    const next = await upload(alice, taskId)
    const refused = await submitKeys(alice, taskId, [next])
    expectRefusal(refused, 403, 'payment_preflight_rejected')
    expect(refused.body.error).toContain(`service:submit:${taskId}:${next.artifactKey}`)
    expect((await submitKeys(alice, taskId, [next], 'bound')).status).toBe(200)
  })
})
