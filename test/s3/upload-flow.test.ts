import { createHash, randomUUID } from 'node:crypto'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { agreeToEverything } from '../api/writes/fake-payments.ts'
import { type Actor, anActor } from '../support/actors.ts'
import { startTestApi, type TestApi } from '../support/api.ts'
import { readArtifactBytes } from '../support/artifact-bytes.ts'
import { aFromKeysBody, aLocalFile, anUploadRequest, type LocalFile, toKeyedFile } from '../support/uploads.ts'

const { bucket } = inject('swift')

let api: TestApi
let taskId: Hex
beforeAll(async () => {
  api = await startTestApi({
    WRITE_ANSWER_MS: '3000',
    STORAGE: 's3',
    S3_ENDPOINT: bucket.endpoint,
    S3_REGION: bucket.region,
    S3_BUCKET: bucket.bucket,
    S3_ACCESS_KEY_ID: bucket.accessKeyId,
    S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
    S3_PREFIX: 'flow/',
  })
  agreeToEverything(api)
  taskId = (await api.seed.task({ requester: anActor().address })).id
})
afterAll(() => api.stop())

/** No relay runs here: an admitted write is bound, and has no outcome at the answer deadline. */
const BOUND = { status: 409, reason: 'intent_in_flight' }

/** Two files of one length and one MD5, the only properties of an object's bytes that most storages report. */
const TWINS = ['87', '07'].map((byte, index) => {
  const [second = '', third = '', fourth = '', fifth = '', sixth = ''] =
    index === 0 ? ['71', 'f2', 'b4', 'a8', '2b'] : ['f1', '72', '34', '28', 'ab']
  return Buffer.from(
    `d131dd02c5e6eec4693d9a0698aff95c2fcab5${byte}12467eab4004583eb8fb7f89` +
      `55ad340609f4b30283e4888325${second}415a085125e8f7cdc99fd91dbd${third}80373c5b` +
      `d8823e3156348f5bae6dacd436c919c6dd53e2${fourth}87da03fd02396306d248cda0` +
      `e99f33420f577ee8ce54b67080${fifth}0d1ec69821bcb6a8839396f965${sixth}6ff72a70`,
    'hex',
  )
})

test('given an upload to the bucket, then the submission has its bytes, even after the upload is replaced', async () => {
  const alice = anActor()
  const file = aLocalFile('Money waits in trust')
  const target = await askFor(alice, file)
  expect(new URL(target.uploadUrl).origin).toBe(bucket.endpoint)
  expect(await putTo(target, file.bytes)).toBe(200)
  expect(await submit(alice, target.artifactKey, file)).toEqual(BOUND)
  expect(await putTo(target, Buffer.from('Money waits in vain!'))).toBe(200)
  const [stored] = await boundFiles(alice)
  expect(await readArtifactBytes(api.deps, stored?.id ?? '')).toEqual(file.bytes)
})

test('given an upload that differs from its declaration, then it is refused without a charge, and nothing is stored', async () => {
  const alice = anActor()
  const target = await askFor(alice, aLocalFile('Money waits in trust'))
  expect(await putTo(target, Buffer.from('Money waits in vain!'))).toBe(200)
  expect(await submit(alice, target.artifactKey, aLocalFile('Money waits in trust'))).toMatchObject({ status: 400 })
  expect(await boundFiles(alice)).toEqual([])
  expect(await putTo(target, Buffer.from('Money waits in trust'))).toBe(200)
  expect(await submit(alice, target.artifactKey, aLocalFile('Money waits in trust'))).toEqual(BOUND)
})

test('given an upload replaced by another with the same MD5, then the replacement is not promoted', async () => {
  const [read = Buffer.of(), other = Buffer.of()] = TWINS
  expect(other.equals(read)).toBe(false)
  expect(md5(other)).toBe(md5(read))
  const alice = anActor()
  const file = aLocalFile('', { bytes: read, mimeType: 'application/octet-stream', fileName: 'a.bin' })
  const target = await askFor(alice, file)
  expect(await putTo(target, read)).toBe(200)
  const lie = { ...toKeyedFile(target.artifactKey, file), sha256Hash: 'ab'.repeat(32) }
  expect(await send(await aFromKeysBody(alice, taskId, [lie]))).toMatchObject({ status: 400 })

  expect(await putTo(target, other)).toBe(200)
  const outcome = await submit(alice, target.artifactKey, file)
  const stored = await Promise.all((await boundFiles(alice)).map(({ id }) => readArtifactBytes(api.deps, id)))
  expect(stored).toEqual([])
  expect(outcome).toMatchObject({ status: 400 })
})

interface Target {
  uploadUrl: string
  uploadHeaders: Record<string, string>
  artifactKey: string
}

async function askFor(worker: Actor, file: LocalFile): Promise<Target> {
  const path = `/api/tasks/${taskId}/submissions/request-upload-url`
  const { status, body } = await api.post(path, await anUploadRequest(worker, taskId, file))
  expect(status).toBe(200)
  return body
}

async function putTo({ uploadUrl, uploadHeaders }: Target, bytes: Buffer): Promise<number> {
  const body = new Uint8Array(bytes)
  return (await fetch(uploadUrl, { method: 'PUT', headers: uploadHeaders, body })).status
}

const submit = async (worker: Actor, artifactKey: string, file: LocalFile) =>
  await send(await aFromKeysBody(worker, taskId, [toKeyedFile(artifactKey, file)]))

async function send(body: unknown) {
  const path = `/api/tasks/${taskId}/submissions/from-keys`
  const answer = await api.post(path, body, { 'X-Service-Idempotency-Key': randomUUID() })
  return { status: answer.status, reason: answer.body.service?.reason }
}

const boundFiles = async (worker: Actor) =>
  await api.sql<{ id: string }[]>`
    select stored_files.id from service.stored_files
    join service.intents on intents.id = stored_files.intent_id
    where initiator = ${worker.address}`

const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest('hex')
