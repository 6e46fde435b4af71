import { type Hex, keccak256 } from 'viem'
import { expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aSubmissionBody } from '../support/conformance-fixtures.ts'
import { expectRefusal } from '../support/conformance-refusal.ts'
import { aFromKeysBody, aLocalFile, anUploadRequest, type KeyedFile, toKeyedFile } from '../support/uploads.ts'

const environment = openEnvironment()

/** Requests a URL, without an idempotency key: this is not a relayed write. PUTs the bytes to it. */
async function upload(worker: Actor, taskId: Hex, file = aLocalFile()): Promise<KeyedFile> {
  const request = { body: await anUploadRequest(worker, taskId, file), key: null }
  const asked = await environment.post(`/tasks/${taskId}/submissions/request-upload-url`, request)
  expect(asked).toMatchObject({ status: 200 })
  const { uploadUrl, uploadHeaders, artifactKey } = asked.body
  const { status } = await environment.fetch(uploadUrl, { method: 'PUT', headers: uploadHeaders, body: file.bytes })
  expect(status).toBe(200)
  return toKeyedFile(artifactKey, file)
}

const submitKeys = async (worker: Actor, taskId: Hex, files: KeyedFile[], signed?: 'bound') =>
  await environment.post(`/tasks/${taskId}/submissions/from-keys`, {
    body: await aFromKeysBody(worker, taskId, files, signed),
  })

test('given a signature bound to uploads, then they alone are submitted, for free, anchored by their manifest, and no signature without files counts any more', async () => {
  const [requester, alice] = [await environment.aWallet(), anActor()]
  const taskId = await environment.createTask(requester)
  const { market, forwarder } = environment.chain.deployment
  const accounts = { alice: alice.address, requester: requester.address, market, forwarder }
  const money = await environment.chain.watch(accounts)
  const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251))
  const leaves = await upload(alice, taskId, { fileName: 'Blätter.bin', mimeType: 'application/x-leaves', bytes })
  const files = [leaves, await upload(alice, taskId)]
  const plain = await aSubmissionBody(alice, taskId)

  const lie = { ...leaves, sha256Hash: 'ab'.repeat(32) }
  expectRefusal(await submitKeys(alice, taskId, [lie], 'bound'), 400, 'payment_preflight_rejected')
  const answer = await submitKeys(alice, taskId, files, 'bound')
  expect(answer.body).toEqual({ success: true, submissionId: expect.any(String) })
  expect(await money.changes()).toEqual({ alice: 0n, requester: 0n, market: 0n, forwarder: 0n })

  const rows = (await environment.get(`/tasks/${taskId}/submissions`)).body
  expect(rows).toMatchObject([
    {
      id: answer.body.submissionId,
      artifacts: [{ fileName: 'Blätter.bin', sizeBytes: 100_000, sha256Hash: leaves.sha256Hash }, {}],
    },
  ])
  const [{ deliverableHash, submitTxHash, fileUrl }] = rows
  expect(await environment.chain.isCommitted(taskId, alice.address, deliverableHash)).toBe(true)
  const { text } = await environment.get(`/tasks/${taskId}/submissions/${answer.body.submissionId}/manifest`)
  expect(keccak256(Buffer.from(text))).toBe(deliverableHash)
  expect(JSON.parse(text).artifacts).toMatchObject(files.map(({ keccak256Hash }) => ({ keccak256Hash })))
  expect(Buffer.from(await (await environment.fetch(fileUrl)).arrayBuffer())).toEqual(bytes)
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
