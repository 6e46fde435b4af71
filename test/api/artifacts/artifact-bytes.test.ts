import { afterAll, beforeAll, expect, test } from 'vitest'
import { anActor } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { storeArtifactBytes } from '../../support/artifact-bytes.ts'
import { aHash } from '../../support/rows/insert-row.ts'

const requester = anActor()
const alice = anActor()
const BYTES = Buffer.from('0123456789')

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ PUBLIC_BASE_URL: 'https://market.example' })
})
afterAll(() => api.stop())

/** A stored file and the path of its signed URL, as a caller gets it from the preview route. */
async function aFile(name: string, mimeType = 'text/plain') {
  const task = await api.seed.task({ requester: requester.address })
  const { artifactIds } = await api.seed.submission(task.id, alice.address, { files: [name] })
  const [id = ''] = artifactIds
  await api.sql`update service.artifacts set mime_type = ${mimeType}, size_bytes = ${BYTES.length} where id = ${id}`
  await storeArtifactBytes(api.deps, id, BYTES)
  const { body } = await api.get(`/api/tasks/${task.id}/artifacts/${id}/preview`)
  return { id, task, url: new URL(body.previewUrl), expiresAt: body.previewExpiresAt }
}

const fetchBytes = (url: URL, init: RequestInit = {}) => api.app.request(url.pathname + url.search, init)

test('given a signed URL, then any caller gets the bytes, as a harmless attachment', async () => {
  const { url, expiresAt } = await aFile('Bericht "Ende".txt')
  expect(url.origin).toBe('https://market.example')
  expect(expiresAt).toBe('2030-01-01T00:15:00.000Z')
  const response = await fetchBytes(url)
  expect(response.status).toBe(200)
  expect(Buffer.from(await response.arrayBuffer())).toEqual(BYTES)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/plain; charset=utf-8',
    'content-length': '10',
    'content-disposition': `attachment; filename="Bericht _Ende_.txt"; filename*=UTF-8''Bericht%20%22Ende%22.txt`,
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, max-age=900, immutable',
  })
  expect(response.headers.get('content-security-policy')).toMatch(/^sandbox;/)
})

test('given a URL with any change, then it is refused', async () => {
  const { url } = await aFile('work.txt')
  const other = await aFile('other.txt')
  const statusOf = async (change: (changed: URL) => void) => {
    const changed = new URL(url)
    change(changed)
    return (await fetchBytes(changed)).status
  }
  const expires = Number(url.searchParams.get('expires'))
  expect(await statusOf((changed) => changed.searchParams.set('expires', String(expires + 1)))).toBe(403)
  expect(await statusOf((changed) => changed.searchParams.set('signature', 'A'.repeat(43)))).toBe(403)
  expect(await statusOf((changed) => changed.searchParams.set('signature', ''))).toBe(403)
  expect(await statusOf((changed) => changed.searchParams.delete('signature'))).toBe(400)
  expect(await statusOf((changed) => changed.searchParams.set('expires', '1e9'))).toBe(400)
  expect(await statusOf((changed) => (changed.pathname = other.url.pathname))).toBe(403)
  expect(await statusOf((changed) => (changed.pathname = '/api/artifacts/..%2f..%2fetc%2fpasswd'))).toBe(400)
})

test('given a file that no submission on chain committed, then it cannot be previewed', async () => {
  const { id, task } = await aFile('work.txt')
  const other = await aFile('other.txt')
  expect((await api.get(`/api/tasks/${other.task.id}/artifacts/${id}/preview`)).status).toBe(404)
  await api.sql`delete from submission where task_id = ${task.id}`
  expect((await api.get(`/api/tasks/${task.id}/artifacts/${id}/preview`)).status).toBe(404)
  expect((await api.get(`/api/tasks/${aHash()}/artifacts/${id}/preview`)).status).toBe(404)
})
