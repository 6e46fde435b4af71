import { randomUUID } from 'node:crypto'
import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import type { Answer } from '../../support/api.ts'
import { storeArtifactBytes } from '../../support/artifact-bytes.ts'
import { aHash } from '../../support/rows/insert-row.ts'
import { aStartedApi } from '../writes/started-api.ts'

const [requester, alice, bob] = [anActor(), anActor(), anActor()]

const api = aStartedApi({ ARTIFACT_BASE_URL: 'https://files.example' })

/** A submission of alice: a source, the result, a list. Each file holds its own name. */
async function aDelivery(texts: object = {}) {
  const task = await api.seed.task({ requester: requester.address }, texts)
  const files = ['source.txt', 'result.txt', 'list.txt']
  const delivery = await api.seed.submission(task.id, alice.address, { files })
  for (const [index, id] of delivery.artifactIds.entries()) {
    const role = index === 1 ? 'final' : 'source'
    const bytes = Buffer.from(files[index] ?? '')
    await api.sql`update service.artifacts set role = ${role}, size_bytes = ${bytes.length} where id = ${id}`
    await storeArtifactBytes(api.deps, id, bytes)
  }
  return { task, ...delivery, path: `/api/tasks/${task.id}/submissions/${delivery.id}` }
}

async function aDevice(actor: Actor, isSigned = true): Promise<{ deviceId: string; apiToken: string }> {
  const headers = isSigned ? await readHeadersOf(actor) : {}
  const { deviceId, apiToken } = (await api.post('/api/devices', { walletAddress: actor.address }, headers)).body
  return { deviceId, apiToken }
}

/** What is behind the URL that was answered. */
async function textBehind({ status, body }: Answer): Promise<string> {
  expect(status).toBe(200)
  expect(body).toEqual({
    presignedUrl: expect.stringMatching(/^https:\/\/files\.example\/api\/artifacts\//),
    expiresAt: '2030-01-01T00:15:00.000Z',
  })
  const { pathname, search } = new URL(body.presignedUrl)
  return await (await api.app.request(pathname + search)).text()
}

describe('preview by device', () => {
  test('answers the main file’s URL to requester and worker, and any other file’s by its id', async () => {
    const { path, artifactIds, id, task } = await aDelivery({ submissionVisibility: 'never' })
    for (const actor of [requester, alice]) {
      const device = await aDevice(actor)
      const answer = await api.post(`${path}/preview`, device)
      expect(await textBehind(answer)).toBe('result.txt')
      expect(answer.headers.get('cache-control')).toBe('no-store')
      const repeated = { ...device, taskId: task.id.toUpperCase().replace('0X', '0x'), submissionId: id }
      expect(await textBehind(await api.post(`${path}/preview`, { ...repeated, artifactId: artifactIds[2] }))).toBe(
        'list.txt',
      )
    }
  })

  test('is the file that the list’s fileUrl is of', async () => {
    const { path, task } = await aDelivery()
    const [row] = (await api.get(`/api/tasks/${task.id}/submissions`)).body
    expect((await api.post(`${path}/preview`, await aDevice(alice))).body.presignedUrl).toBe(row.fileUrl)
  })

  // `test/api/devices/public-keys.test.ts` has the devices that act.
  test('needs a device that is known, that acts, and whose wallet is one of the two', async () => {
    const { path } = await aDelivery()
    const statusOf = async (body: object) => (await api.post(`${path}/preview`, body)).status
    const device = await aDevice(alice)
    expect(await statusOf({ ...device, apiToken: 'x' })).toBe(401)
    expect(await statusOf({ apiToken: device.apiToken })).toBe(400)
    expect(await statusOf(await aDevice(alice, false))).toBe(403)
    expect(await statusOf(await aDevice(bob))).toBe(403)
  })

  test('the read identity of another wallet in the headers changes nothing', async () => {
    const { path } = await aDelivery()
    const headers = await readHeadersOf(requester)
    expect((await api.post(`${path}/preview`, await aDevice(bob), headers)).status).toBe(403)
    expect((await api.post(`${path}/preview`, await aDevice(alice), await readHeadersOf(bob))).status).toBe(200)
  })

  test('of what is not there is 404, and ids that contradict the path are 400', async () => {
    const { path, task, id } = await aDelivery()
    const other = await aDelivery()
    const direct = await api.seed.submission(task.id, alice.address, { files: null })
    const device = await aDevice(requester)
    const statusOf = async (at: string, body: object = {}) =>
      (await api.post(`${at}/preview`, { ...device, ...body })).status
    expect(await statusOf(`/api/tasks/${task.id}/submissions/${other.id}`)).toBe(404)
    expect(await statusOf(`/api/tasks/${task.id}/submissions/${direct.id}`)).toBe(404)
    expect(await statusOf(path, { artifactId: other.artifactIds[0] })).toBe(404)
    expect(await statusOf(path, { artifactId: randomUUID() })).toBe(404)
    expect(await statusOf(path, { artifactId: 'x' })).toBe(400)
    expect(await statusOf(path, { taskId: other.task.id })).toBe(400)
    expect(await statusOf(path, { submissionId: other.id })).toBe(400)
    await api.sql`delete from submission where id = ${id}`
    expect(await statusOf(path)).toBe(404)
  })
})

describe('download after acceptance', () => {
  const download = async (path: string, body: object, caller: Actor | null = null) =>
    await api.post(`${path}/download`, body, caller === null ? {} : await readHeadersOf(caller))

  async function anAccepted(texts: object = {}) {
    const delivery = await aDelivery(texts)
    const { deliverable, task } = delivery
    const { transactionHash } = await api.seed.award(task.id, alice.address, { deliverable })
    return { ...delivery, acceptanceTxHash: transactionHash }
  }

  test('answers the main file’s URL, and any other file’s by its id', async () => {
    const { path, acceptanceTxHash, artifactIds, id } = await anAccepted()
    const body = { acceptanceTxHash: acceptanceTxHash.toUpperCase().replace('0X', '0x'), submissionId: id }
    const answer = await download(path, body)
    expect(await textBehind(answer)).toBe('result.txt')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await textBehind(await download(path, { ...body, artifactId: artifactIds[0] }))).toBe('source.txt')
    for (const wrong of [{ submissionId: body.submissionId }, { ...body, submissionId: aHash() }]) {
      expect((await download(path, wrong)).status).toBe(400)
    }
  })

  test('needs the settlement of this submission: 409 before, by the hash of another task’s, and after it was undone', async () => {
    const { path, task, deliverable } = await aDelivery()
    const statusOf = async (acceptanceTxHash: Hex) => (await download(path, { acceptanceTxHash }, requester)).status
    expect(await statusOf(aHash())).toBe(409)
    const { transactionHash } = await api.seed.award(task.id, alice.address, { deliverable })
    expect(await statusOf((await anAccepted()).acceptanceTxHash)).toBe(409)
    expect(await statusOf(transactionHash)).toBe(200)
    await api.sql`delete from award where task_id = ${task.id}`
    expect(await statusOf(transactionHash)).toBe(409)
  })

  test('of two submissions of a worker opens the awarded one', async () => {
    const { task, acceptanceTxHash } = await anAccepted()
    const other = await api.seed.submission(task.id, alice.address)
    const path = `/api/tasks/${task.id}/submissions/${other.id}`
    expect((await download(path, { acceptanceTxHash }, alice)).status).toBe(409)
  })
})

test('given a name for files, then an upload goes where everything else is', () => {
  expect(api.deps.links.toUpload(randomUUID(), { sizeBytes: 1, mimeType: 'text/plain', expiresAt: 1 })).toMatch(
    /^http:\/\/127\.0\.0\.1:3000\/api\/uploads\//,
  )
})
