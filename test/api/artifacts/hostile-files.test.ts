import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHttpServer } from '../../../api/server/http-server.ts'
import { anActor } from '../../support/actors.ts'
import { storeArtifactBytes } from '../../support/artifact-bytes.ts'
import { aHash, START } from '../../support/rows/insert-row.ts'
import { aStartedApi } from '../writes/started-api.ts'

/** Hostile files over a real connection: the headers and bytes that a browser gets. */

const [requester, alice] = [anActor(), anActor()]

const api = aStartedApi()
let server: Server
beforeAll(async () => {
  server = createHttpServer(api.app, { hostname: '127.0.0.1', log: api.deps.log, bodyTimeout: 10_000 })
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
})

interface Got {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
}

async function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Got> {
  const { port } = server.address() as AddressInfo
  const asking = request({ host: '127.0.0.1', port, path, method, headers }).end()
  const [response] = (await once(asking, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, headers: response.headers, bytes: await buffer(response) }
}

interface Hostile {
  fileName?: string
  mimeType?: string
  bytes?: Buffer
}

/** The path of a signed URL of a delivered file. */
async function aFile({ fileName = 'a.bin', mimeType = 'text/plain', bytes = Buffer.from('0123456789') }: Hostile = {}) {
  const task = await api.seed.task({ requester: requester.address })
  const { id, artifactIds } = await api.seed.submission(task.id, alice.address, { files: [fileName] })
  const [artifactId = ''] = artifactIds
  const sha256Hash = createHash('sha256').update(bytes).digest('hex')
  await api.sql`
    update service.artifacts set mime_type = ${mimeType}, size_bytes = ${bytes.length}, sha256_hash = ${sha256Hash}
    where id = ${artifactId}`
  await storeArtifactBytes(api.deps, artifactId, bytes)
  const { body } = await api.get(`/api/tasks/${task.id}/artifacts/${artifactId}/preview`)
  expect(body.previewExpiresAt).toBe('2030-01-01T00:15:00.000Z')
  const { pathname, search } = new URL(body.previewUrl)
  return { path: pathname + search, artifactId, taskId: task.id, submissionId: id, bytes, tag: `"${sha256Hash}"` }
}

/** Headers that keep a browser from executing any part of an answer. */
function expectHarmless({ headers, status }: Got): void {
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['x-frame-options']).toBe('DENY')
  expect(headers['content-encoding']).toBeUndefined()
  if (status >= 400) {
    expect(headers['content-type']).toBe('application/json')
    expect(headers['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'")
    return
  }
  expect(headers['content-disposition']).toMatch(/^attachment; /)
  expect(headers['content-security-policy']).toBe(
    "sandbox; default-src 'none'; style-src 'none'; script-src 'none'; frame-ancestors 'none'",
  )
  expect(headers['cross-origin-resource-policy']).toBe('cross-origin')
  expect(headers['cache-control']).toBe('private, max-age=900, immutable')
}

const page = '<!doctype html><script>document.title="ran"</script>'

// `test/unit/artifacts/served-file.test.ts` has the types.
const files: [string, Hostile, string][] = [
  ['a page', { fileName: 'a.html', mimeType: 'text/html', bytes: Buffer.from(page) }, 'application/octet-stream'],
  ['a page that says it is text', { bytes: Buffer.from(page) }, 'text/plain; charset=utf-8'],
  ['a page that says it is an image', { mimeType: 'image/png', bytes: Buffer.from(page) }, 'image/png'],
  [
    'text that says how it is encoded',
    { mimeType: 'text/plain; charset=utf-7', bytes: Buffer.from('+ADw-script+AD4-') },
    'text/plain; charset=utf-8',
  ],
  ['a compressed file', { mimeType: 'application/gzip', bytes: gzipSync(Buffer.alloc(1_000_000)) }, 'application/gzip'],
  [
    'an archive',
    { mimeType: 'application/zip', bytes: Buffer.concat([Buffer.from('PK\x03\x04'), randomBytes(300_000)]) },
    'application/zip',
  ],
  ['nothing', { bytes: Buffer.alloc(0) }, 'text/plain; charset=utf-8'],
]

test.each(files)('%s goes out as the very bytes of an attachment', async (_name, hostile, type) => {
  const { path, bytes, tag } = await aFile(hostile)
  // A client that accepts compressed answers gets none.
  const whole = await ask(path, { 'Accept-Encoding': 'gzip, br', Accept: 'text/html' })
  expectHarmless(whole)
  expect([whole.status, whole.headers['content-type'], whole.headers.etag]).toEqual([200, type, tag])
  expect(whole.headers['content-length']).toBe(String(bytes.length))
  expect(whole.bytes.equals(bytes)).toBe(true)

  const head = await ask(path, {}, 'HEAD')
  expectHarmless(head)
  expect([head.status, head.bytes.length, head.headers['content-length']]).toEqual([200, 0, String(bytes.length)])

  const known = await ask(path, { 'If-None-Match': tag })
  expectHarmless(known)
  expect([known.status, known.bytes.length]).toEqual([304, 0])

  if (bytes.length === 0) return
  const part = await ask(path, { Range: 'bytes=0-0' })
  expectHarmless(part)
  expect([part.status, part.headers['content-type'], part.headers['content-range']]).toEqual([
    206,
    type,
    `bytes 0-0/${bytes.length}`,
  ])
  expect(part.bytes.equals(bytes.subarray(0, 1))).toBe(true)
})

test('given any range, then it is one part of the bytes, or the whole file; of HEAD it is ignored', async () => {
  const { path, tag } = await aFile()
  const partOf = async (headers: Record<string, string>) => {
    const { status, bytes } = await ask(path, { Range: 'bytes=2-4', ...headers })
    return [status, bytes.toString()]
  }
  expect(await partOf({ 'If-Range': tag })).toEqual([206, '234'])
  expect(await partOf({ 'If-Range': '"another"' })).toEqual([200, '0123456789'])
  expect(await partOf({ 'If-Range': `W/${tag}` })).toEqual([200, '0123456789'])
  expect(await partOf({ 'If-Range': 'Tue, 01 Jan 2030 00:00:00 GMT' })).toEqual([200, '0123456789'])
  expect(await partOf({ 'If-None-Match': '"another"' })).toEqual([206, '234'])
  expect(await partOf({ 'If-None-Match': `W/${tag}, "b"` })).toEqual([304, ''])
  const { status, headers } = await ask(path, { Range: 'bytes=2-4' }, 'HEAD')
  expect([status, headers['content-length'], headers['content-range']]).toEqual([200, '10', undefined])
})

test('given a refusal, then it is no page either, whatever the request accepts', async () => {
  const { path, artifactId } = await aFile({ fileName: 'a.html', mimeType: 'text/html' })
  await api.deps.storage.remove({ area: 'artifacts', id: artifactId })
  const other = await aFile()
  const refused: [string, number][] = [
    [path, 404],
    [path.replace(/expires=/, 'expires=1'), 403],
    [path.replace(artifactId, other.artifactId), 403],
    [path.replace(/signature=.*/, 'signature=%3Cscript%3Ealert(1)%3C/script%3E'), 403],
    [path.replace(/signature=.*/, ''), 400],
    [`${path}&signature=%3Cb%3E`, 400],
    ['/api/artifacts/%3Cscript%3E?expires=1&signature=x', 400],
    ['/api/artifacts/../../etc/passwd?expires=1&signature=x', 404],
    ['/%3Cscript%3Ealert(1)%3C/script%3E', 404],
  ]
  expect((await ask(path, {}, 'HEAD')).status).toBe(404)
  for (const [at, status] of refused) {
    const answer = await ask(at, { Accept: 'text/html' })
    expect([at, answer.status]).toEqual([at, status])
    expectHarmless(answer)
    expect(answer.bytes.includes('<')).toBe(false)
  }
})

test.each([
  ['two lines', 'a\r\nSet-Cookie: x=y', 'a__Set-Cookie_ x_y'],
  ['a folder above', '../../etc/passwd', '___.._etc_passwd'],
  ['a turned direction', 'invoice\u202efdp.exe', 'invoice_fdp.exe'],
])('given a name with %s, then it cannot leave its header, and is served exactly', async (_name, fileName, plain) => {
  // Names such as the first are refused at submission: the header does not depend on it.
  const { path } = await aFile({ fileName })
  const answer = await ask(path)
  expectHarmless(answer)
  expect(answer.headers['set-cookie']).toBeUndefined()
  const [, told, exact = ''] =
    /filename="(.*)"; filename\*=UTF-8''(.*)$/.exec(answer.headers['content-disposition'] ?? '') ?? []
  expect(told).toBe(plain)
  expect(decodeURIComponent(exact)).toBe(fileName)
})

describe('in answers', () => {
  test('given a text preview, then it has no markup or hidden text, also one that was stored unchecked', async () => {
    const { taskId, artifactId } = await aFile()
    const stored = '<img src=x onerror=alert(1)>\u001b[2J\u202egnp.exe\r\n\u{e0041}'
    await api.sql`update service.artifacts set text_preview = ${stored} where id = ${artifactId}`
    const answer = await ask(`/api/tasks/${taskId}/submissions`)
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
    expect(answer.bytes.toString()).not.toMatch(/[<\p{Cc}\p{Cf}]/u)
    expect(JSON.parse(answer.bytes.toString())[0].artifacts[0].textPreview).toBe(
      '<img src=x onerror=alert(1)>\\u001b[2J\\u202egnp.exe\n\\u{e0041}',
    )
  })

  test('given texts of any caller, then none begins a tag: REST, procedures, errors', async () => {
    const description = '</script><script>alert(1)</script>'
    const task = await api.seed.task({ requester: requester.address }, { description })
    const { pitchText, id: pitchId } = await api.seed.pitch(task.id, alice.address, { pitchText: '<b>' })
    const input = encodeURIComponent(JSON.stringify({ taskId: task.id }))
    for (const path of [`/api/tasks/${task.id}`, `/trpc/tasks.get?input=${input}`]) {
      const { bytes } = await ask(path)
      expect(bytes.includes('<')).toBe(false)
      const told = JSON.parse(bytes.toString())
      expect((told.result?.data ?? told).description).toBe(description)
    }
    const { bytes } = await ask(`/api/tasks/${task.id}/pitches`)
    expect(bytes.includes('<')).toBe(false)
    expect(JSON.parse(bytes.toString())).toMatchObject([{ id: pitchId, pitchText }])
  })
})

test('given a URL, then it opens its file at every second of its validity and at none after', async () => {
  const { path } = await aFile()
  try {
    api.chain.now = START + 899n
    expect((await ask(path)).status).toBe(200)
    api.chain.now = START + 900n
    for (const headers of [{}, { 'If-None-Match': '*' }, { Range: 'bytes=0-0' }]) {
      const answer = await ask(path, headers as Record<string, string>)
      expect(answer.status).toBe(403)
      expectHarmless(answer)
    }
  } finally {
    api.chain.now = START
  }
})

test('given a file that no submission on chain committed, then it cannot be previewed', async () => {
  const [{ artifactId, taskId }, other] = [await aFile(), await aFile()]
  const statusOf = async (id: string) => (await api.get(`/api/tasks/${id}/artifacts/${artifactId}/preview`)).status
  expect([await statusOf(taskId), await statusOf(other.taskId), await statusOf(aHash())]).toEqual([200, 404, 404])
  await api.sql`delete from submission where task_id = ${taskId}`
  expect(await statusOf(taskId)).toBe(404)
})
