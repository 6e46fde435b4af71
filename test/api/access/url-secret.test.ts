import { createHash, randomUUID } from 'node:crypto'
import { decodeFunctionData, type Hex, keccak256, stringToBytes } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { taskMarketAbi } from '../../../abis/task-market.ts'
import { createSignedUrls } from '../../../api/artifacts/storage/signed-urls.ts'
import { mintAccessGrant } from '../../../api/identity/access-grant.ts'
import { createPasswordHasher } from '../../../api/identity/password-hasher.ts'
import { uploadText } from '../../../protocol/bound-call.ts'
import { isDelivered, type ManifestFiles } from '../../../web/islands/files/delivered-file.ts'
import { type Actor, anActor } from '../../support/actors.ts'
import { oneChunk, readArtifactBytes, storeArtifactBytes } from '../../support/artifact-bytes.ts'
import { fastScrypt } from '../../support/fast-scrypt.ts'
import { aFromKeysBody, aLocalFile, anUploadRequest, type KeyedFile, toKeyedFile } from '../../support/uploads.ts'
import { agreeToEverything } from '../writes/fake-payments.ts'
import { aStartedApi } from '../writes/started-api.ts'

/** Gains of a thief with `URL_SIGNING_SECRET`, alone and with the rows or the files of the service (docs/internals/security.md). */

const requester = anActor()
const WORK = aLocalFile('the work that was delivered')
const FORGED = aLocalFile('the work that was replaced!')

let thief: ReturnType<typeof createSignedUrls>
const api = aStartedApi({ WRITE_ANSWER_MS: '100' })
beforeAll(async () => {
  agreeToEverything(api)
  thief = createSignedUrls({ secret: api.deps.config.URL_SIGNING_SECRET, publicBaseUrl: 'https://market.example' })
})

const aTask = async () => (await api.seed.task({ requester: requester.address })).id
const idOf = (artifactKey: string) => artifactKey.split('/')[1] ?? ''

/** Requests a URL that the thief made from this service. */
async function fetchUrl(url: string, init: RequestInit = {}) {
  const { pathname, search } = new URL(url)
  return await api.app.request(pathname + search, init)
}

/** Asks for an upload with the text that no contract accepts. Returns its key. */
async function askForUpload(worker: Actor, taskId: Hex): Promise<string> {
  const message = uploadText('service', api.deps.deployment, { taskId, worker: worker.address })
  const signature = await worker.account.signMessage({ message })
  const path = `/api/tasks/${taskId}/submissions/request-upload-url`
  const { body } = await api.post(path, { ...(await anUploadRequest(worker, taskId, WORK)), signature })
  return body.artifactKey
}

/** Fills an upload by a forged link, with the end that its row has. Returns the status of the answer. */
async function putForged(id: string): Promise<number> {
  const [row] = await api.sql<{ expiresAt: number }[]>`
    select extract(epoch from expires_at)::float8 as expires_at from service.uploads where id = ${id}`
  const { mimeType, bytes } = FORGED
  const expiresAt = row?.expiresAt ?? 2_000_000_000
  const url = thief.toUpload(id, { mimeType, sizeBytes: bytes.length, expiresAt })
  return (await fetchUrl(url, { method: 'PUT', body: Uint8Array.from(bytes) })).status
}

async function sendSubmission(taskId: Hex, body: unknown) {
  const headers = { 'X-Service-Idempotency-Key': randomUUID() }
  return await api.post(`/api/tasks/${taskId}/submissions/from-keys`, body, headers)
}

/** Submissions that the service has taken on, to be committed on chain. */
const listCommitted = (taskId: Hex) =>
  api.sql<{ calldata: Hex; manifest: string; artifactId: string }[]>`
    select i.calldata, s.manifest, a.id as artifact_id
    from service.submission_content s
    join service.artifacts a using (task_id, worker, deliverable)
    join service.intents i on i.id = s.intent_id
    where s.task_id = ${taskId}`

/** A delivery of a file, taken on by the service. */
async function deliver() {
  const [taskId, worker] = [await aTask(), anActor()]
  const key = await askForUpload(worker, taskId)
  await api.deps.storage.put({ area: 'uploads', id: idOf(key) }, oneChunk(WORK.bytes), WORK.bytes.length)
  await sendSubmission(taskId, await aFromKeysBody(worker, taskId, [toKeyedFile(key, WORK)]))
  const [committed] = await listCommitted(taskId)
  if (committed === undefined) throw new Error('nothing was committed')
  const { args } = decodeFunctionData({ abi: taskMarketAbi, data: committed.calldata })
  return { ...committed, key, worker, taskId, deliverable: args?.[1] }
}

const hashesOf = (bytes: Buffer) => ({
  sha256: createHash('sha256').update(bytes).digest('hex'),
  keccak256: keccak256(bytes),
})

describe('a thief with the secret of URLs', () => {
  test('given a file of a delivery, then a forged link reads it', async () => {
    const { artifactId } = await deliver()
    const response = await fetchUrl(thief.toArtifact(artifactId, 2_000_000_000))
    expect([response.status, await response.text()]).toEqual([200, WORK.bytes.toString()])
  })

  test('given an upload that a worker was allowed, then a forged link fills it, and it is not committed as theirs', async () => {
    const [taskId, worker] = [await aTask(), anActor()]
    const key = await askForUpload(worker, taskId)
    expect(await putForged(idOf(key))).toBe(200)
    const { status, body } = await sendSubmission(taskId, await aFromKeysBody(worker, taskId, [toKeyedFile(key, WORK)]))
    expect([status, body.service.reason]).toEqual([400, 'payment_preflight_rejected'])
    expect(await listCommitted(taskId)).toEqual([])
  })

  test('given such an upload, then no text that the worker gave for it makes it a submission', async () => {
    const [taskId, worker] = [await aTask(), anActor()]
    const key = await askForUpload(worker, taskId)
    expect(await putForged(idOf(key))).toBe(200)
    const forged: KeyedFile = toKeyedFile(key, FORGED)
    const message = uploadText('service', api.deps.deployment, { taskId, worker: worker.address })
    const signatures = [await worker.account.signMessage({ message }), '0x', `0x${'11'.repeat(65)}`]
    for (const signature of signatures) {
      const { status } = await sendSubmission(taskId, { ...(await aFromKeysBody(worker, taskId, [forged])), signature })
      expect([400, 403]).toContain(status)
    }
    expect(await listCommitted(taskId)).toEqual([])
  })

  test('given an upload that was submitted, or none, then a forged link changes nothing', async () => {
    const { key, artifactId } = await deliver()
    expect(await putForged(idOf(key))).toBe(409)
    expect(await putForged(artifactId)).toBe(404)
    expect(await readArtifactBytes(api.deps, artifactId)).toEqual(WORK.bytes)
  })

  test('given a task with a password, then a grant is forged with the hash of its password alone', async () => {
    const passwordHash = await createPasswordHasher(fastScrypt).hash('open, sesame')
    const { id: taskId } = await api.seed.task(
      { requester: requester.address },
      { taskVisibility: 'private' },
      { passwordHash },
    )
    const { timestamp } = await api.deps.chain.head()
    const readWith = async (passwordVersion: string) => {
      const { grant } = mintAccessGrant(api.deps.config.URL_SIGNING_SECRET, { taskId, passwordVersion }, timestamp)
      return (await api.get(`/api/tasks/${taskId}`, { 'X-Service-Task-Access-Grant': grant })).body
    }
    expect(await readWith('')).toBeNull()
    expect(await readWith(passwordHash)).toMatchObject({ id: taskId })
  })
})

describe('a thief who can write the files, and the rows of manifests', () => {
  test('given a replaced file, then it is not what the manifest names, and a page does not show it', async () => {
    const { artifactId, manifest, deliverable } = await deliver()
    await api.deps.storage.remove({ area: 'artifacts', id: artifactId })
    await storeArtifactBytes(api.deps, artifactId, FORGED.bytes)
    const response = await fetchUrl(thief.toArtifact(artifactId, 2_000_000_000))
    const served = Buffer.from(await response.arrayBuffer())
    expect(served).toEqual(FORGED.bytes)
    expect(keccak256(stringToBytes(manifest))).toBe(deliverable)
    const files: ManifestFiles = JSON.parse(manifest)
    expect(isDelivered(files, 0, hashesOf(WORK.bytes))).toBe(true)
    expect(isDelivered(files, 0, hashesOf(served))).toBe(false)
  })

  test('given a manifest that names the replaced file, then it is not what the chain has', async () => {
    const { manifest, deliverable } = await deliver()
    const [honest, forged] = [hashesOf(WORK.bytes), hashesOf(FORGED.bytes)]
    const replaced = manifest.replace(honest.sha256, forged.sha256).replace(honest.keccak256, forged.keccak256)
    expect(isDelivered(JSON.parse(replaced), 0, forged)).toBe(true)
    expect(keccak256(stringToBytes(replaced))).not.toBe(deliverable)
  })
})
