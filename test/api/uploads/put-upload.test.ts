import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { aSignedUpload, type UploadOptions } from '../../support/signed-upload.ts'
import { aStartedApi } from '../writes/started-api.ts'

const api = aStartedApi()

const anUpload = (options: UploadOptions = {}) => aSignedUpload(api.deps, options)

/** What the route answers: the size, or an error. */
interface PutAnswer {
  sizeBytes?: number
  error?: string
  service?: { reason: string }
  issues?: { path: string; message: string }[]
}

/** The bytes without a type of their own, as plain clients send them. */
async function put(target: string, body: RequestInit['body'] | null, headers: Record<string, string> = {}) {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const init = { method: 'PUT', body: bytes, headers, duplex: 'half' } as RequestInit
  const response = await api.app.request(target, init)
  return { status: response.status, headers: response.headers, body: (await response.json()) as PutAnswer }
}

async function storedOf(id: string): Promise<string | null> {
  const stream = await api.deps.storage.open({ area: 'uploads', id })
  return stream && (await new Response(stream).text())
}

/** Nothing of it is in storage, and nothing half of it either. */
async function expectNothingKept(id: string): Promise<void> {
  expect(await storedOf(id)).toBeNull()
  const names = await readdir(api.deps.config.ARTIFACT_DIR, { recursive: true })
  expect(names.filter((name) => name.startsWith('incoming/'))).toEqual([])
}

test('given the announced bytes, then they are stored as they are, and the answer says how many', async () => {
  const { id, target } = await anUpload()
  const { status, body, headers } = await put(target, '0123456789')
  expect([status, body]).toEqual([200, { sizeBytes: 10 }])
  expect(headers.get('cache-control')).toBe('private, no-cache')
  expect(await storedOf(id)).toBe('0123456789')
})

test.each([
  ['text/plain', 'Text/PLAIN'],
  ['text/plain; charset=utf-8', 'text/plain;charset=UTF-8'],
  ['application/x-weird+type; a="b c"', 'application/x-weird+type; a="b c"'],
])('given %s announced, then %s is taken', async (mimeType, sent) => {
  const { target } = await anUpload({ mimeType })
  expect((await put(target, '0123456789', { 'Content-Type': sent })).status).toBe(200)
})

test('given a body that is spoilt on its way, then it can be sent again to the same URL', async () => {
  const { id, target } = await anUpload()
  const broken = new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from('01234')),
    pull: (controller) => controller.error(new Error('the line is dead')),
  })
  const refused = await put(target, broken)
  expect([refused.status, refused.body.error]).toEqual([400, 'The body broke off before its end.'])
  await expectNothingKept(id)
  expect((await put(target, '0123456789')).status).toBe(200)
})

describe('before a byte is read', () => {
  /** A body that records whether it was read. */
  function aWatchedBody() {
    let isRead = false
    const pull = (controller: ReadableStreamDefaultController) => {
      isRead = true
      controller.enqueue(Buffer.from('0123456789'))
      controller.close()
    }
    return { body: new ReadableStream({ pull }, { highWaterMark: 0 }), isRead: () => isRead }
  }

  const expectRefusal = async (target: string, headers: Record<string, string>, status: number, sentence: RegExp) => {
    const { body, isRead } = aWatchedBody()
    const answer = await put(target, body, headers)
    expect([answer.status, answer.body.service?.reason]).toEqual([status, 'unclassified'])
    expect(answer.body.error).toMatch(sentence)
    expect(isRead()).toBe(false)
  }

  test.each([
    ['another type', { 'Content-Type': 'text/html' }, 400, /Content-Type .* send that .* or none\.$/],
    ['a form’s type', { 'Content-Type': 'application/x-www-form-urlencoded' }, 400, /Content-Type/],
    ['a longer length', { 'Content-Length': '11' }, 400, /11 bytes, and 10 were announced/],
    ['an encoding', { 'Content-Encoding': 'gzip' }, 415, /Content-Encoding/],
  ] as const)('given %s, then it is refused and nothing kept', async (_, headers, status, sentence) => {
    const { id, target } = await anUpload()
    await expectRefusal(target, headers, status, sentence)
    await expectNothingKept(id)
  })

  test.each([
    ['size', '11'],
    ['expires', '99999999999'],
    ['type', 'text/html'],
    ['signature', 'x'],
  ])('given a URL with another %s, then 403', async (name, value) => {
    const { target } = await anUpload()
    const url = new URL(target, 'http://here')
    url.searchParams.set(name, value)
    await expectRefusal(url.pathname + url.search, {}, 403, /not valid any more; ask for a new one/)
  })

  test('given the URL of another upload, then 403', async () => {
    const [{ target }, { id }] = [await anUpload(), await anUpload()]
    await expectRefusal(target.replace(/uploads\/[^?]+/, `uploads/${id}`), {}, 403, /not valid/)
  })

  test('given a signature of a download, then 403', async () => {
    const { id, expiresAt } = await anUpload()
    const signature = new URL(api.deps.links.toArtifact(id, expiresAt)).searchParams.get('signature')
    const query = new URLSearchParams({
      expires: `${expiresAt}`,
      size: '10',
      type: 'text/plain',
      signature: `${signature}`,
    })
    await expectRefusal(`/api/uploads/${id}?${query}`, {}, 403, /not valid/)
  })

  test('given a URL that has expired by the time of the tables, then 403', async () => {
    const { target } = await anUpload({ lifetimeSeconds: -1 })
    await expectRefusal(target, {}, 403, /not valid any more/)
  })

  test.each(['is gone', 'was swept'])('given an upload that %s, then 404', async (how) => {
    const { id, target } = await anUpload()
    await (how === 'is gone'
      ? api.sql`delete from service.uploads where id = ${id}`
      : api.sql`update service.uploads set swept_at = now() where id = ${id}`)
    await expectRefusal(target, {}, 404, /gone; ask for a new URL/)
    await expectNothingKept(id)
  })

  test('given bytes that are there already, then 409 and they stay', async () => {
    const { id, target } = await anUpload()
    await put(target, '0123456789')
    await expectRefusal(target, {}, 409, /have been uploaded, and an upload is written once/)
    expect(await storedOf(id)).toBe('0123456789')
  })

  test('given an upload that was submitted and whose bytes have gone, then 409', async () => {
    const { id, target } = await anUpload()
    const intent = randomUUID()
    await api.sql`
      insert into service.intents (id, idempotency_key, operation, fingerprint, status, expires_at)
      values (${intent}, ${randomUUID()}, 'submissions.createFromKeys', 'x', 'reserved', now())`
    await api.sql`update service.uploads set intent_id = ${intent} where id = ${id}`
    await expectRefusal(target, {}, 409, /has been submitted/)
  })

  test('given parts of the URL that are none, then 400 names them', async () => {
    const { status, body } = await put(`/api/uploads/${randomUUID()}?size=x`, '0123456789')
    expect(status).toBe(400)
    expect(body.issues?.map(({ path }) => path)).toEqual(['expires', 'size', 'type', 'signature'])
  })
})

describe('the bytes are not those that were announced', () => {
  test.each([
    ['fewer', '012345678'],
    ['more', '0123456789x'],
    ['no', null],
  ])('given %s bytes without a length, then 400 and nothing kept', async (_, text) => {
    const { id, target } = await anUpload()
    const body = text && new Blob([text]).stream()
    const answer = await put(target, body)
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatch(
      /^The body has (more|fewer) bytes than the 10 that were announced; nothing was kept\.$/,
    )
    await expectNothingKept(id)
    expect((await put(target, '0123456789')).status).toBe(200)
  })

  test('given an endless body, then it is read no further than the first byte too many', async () => {
    const { target } = await anUpload({ sizeBytes: 100_000 })
    let sent = 0
    const endless = new ReadableStream(
      {
        pull: (controller) => {
          sent += 50_000
          controller.enqueue(Buffer.alloc(50_000))
        },
      },
      { highWaterMark: 0 },
    )
    expect((await put(target, endless)).status).toBe(400)
    expect(sent).toBe(150_000)
  })
})

test('given ten at once to one URL, then one is stored whole and the others are 409', async () => {
  const { id, target } = await anUpload({ sizeBytes: 300_000 })
  const texts = Array.from({ length: 10 }, (_, index) => String(index).repeat(300_000))
  const answers = await Promise.all(texts.map((text) => put(target, text)))
  const winners = answers.flatMap(({ status }, index) => (status === 200 ? [index] : []))
  expect(winners).toHaveLength(1)
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(9)
  expect((await storedOf(id)) === texts[winners[0] ?? -1]).toBe(true)
})

test('given one whose bytes are coming, then another is 409 before it costs anything, until that one ends', async () => {
  const { id, target } = await anUpload()
  let second: Awaited<ReturnType<typeof put>> | undefined
  const body = new ReadableStream(
    {
      pull: async (controller) => {
        second = await put(target, '9876543210')
        controller.error(new Error('the line is dead'))
      },
    },
    { highWaterMark: 0 },
  )
  await put(target, body)
  expect([second?.status, second?.body.error]).toEqual([409, expect.stringContaining('coming in another request')])
  await expectNothingKept(id)
  expect((await put(target, '0123456789')).status).toBe(200)
})

test('given a process that died over one, then it can be sent again a little later', async () => {
  const { id, target } = await anUpload()
  const soon = async (seconds: number) =>
    await api.sql`
      update service.uploads set receiving_until = now() + make_interval(secs => ${seconds}) where id = ${id}`
  await soon(1)
  expect((await put(target, '0123456789')).status).toBe(409)
  await soon(0)
  expect((await put(target, '0123456789')).status).toBe(200)
})

test('given an upload that is swept while its bytes come, then they go again', async () => {
  const { id, target } = await anUpload()
  let sweep = async () => {
    await api.sql`update service.uploads set swept_at = now() where id = ${id}`
  }
  const body = new ReadableStream(
    {
      pull: async (controller) => {
        await sweep()
        sweep = async () => controller.close()
        controller.enqueue(Buffer.from('0123456789'))
      },
    },
    { highWaterMark: 0 },
  )
  expect((await put(target, body)).status).toBe(404)
  await expectNothingKept(id)
})

test('given any origin, then a browser may put a file with its type', async () => {
  const { target } = await anUpload()
  const preflight = await api.app.request(target, {
    method: 'OPTIONS',
    headers: {
      Origin: 'https://example.org',
      'Access-Control-Request-Method': 'PUT',
      'Access-Control-Request-Headers': 'content-type',
    },
  })
  expect(preflight.status).toBe(204)
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT')
  expect(preflight.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('content-type')
})
