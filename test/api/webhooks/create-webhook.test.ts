import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { deleteAbandoned } from '../../../api/events/webhooks/webhooks.queries.ts'
import { anActor, readHeadersOf } from '../../support/actors.ts'
import { START } from '../../support/rows/insert-row.ts'
import { accept } from '../../support/webhooks/receiver.ts'
import { creationBody } from '../../support/webhooks/signed-webhooks.ts'
import { startWebhookStack, type WebhookStack } from '../../support/webhooks/webhook-stack.ts'

let stack: WebhookStack
beforeAll(async () => {
  stack = await startWebhookStack({ WEBHOOKS_PER_CLIENT: '7' })
})
afterAll(() => stack?.stop())
afterEach(async () => {
  stack.receiver.answerBy(accept)
  await stack.api.sql`delete from service.webhooks`
})

describe('a new webhook', () => {
  it('given a receiver that answers the challenge, then it becomes active and the test was signed', async () => {
    const { status, body, headers } = await stack.create()
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
    const test = await stack.receiver.next()
    expect(test.message).toEqual({ kind: 'test', webhookId: body.webhookId, challenge: expect.any(String) })
    expect(new Webhook(body.secret).verify(test.body, test.headers as Record<string, string>)).toEqual(test.message)
    expect(test.headers).toMatchObject({ host: new URL(stack.receiver.url).host, 'content-type': 'application/json' })
    const webhook = await stack.until(body.webhookId, (one) => one.status === 'active')
    expect(webhook).toMatchObject({
      url: stack.receiver.url,
      kinds: null,
      filters: null,
      reason: null,
      lastStatus: null,
    })
    const { body: shown } = await stack.read(`/api/webhooks/${body.webhookId}/deliveries`)
    expect(shown.deliveries).toEqual([
      {
        id: test.headers['webhook-id'],
        kind: 'test',
        attempt: 1,
        sentAt: expect.any(String),
        status: 200,
        error: null,
        latencyMs: expect.any(Number),
      },
    ])
  })

  it('given a receiver that answers without the challenge, then it stays unverified, is asked again later, and goes after an hour', async () => {
    stack.receiver.answerBy((_, response) => response.end('fine'))
    const { body } = await stack.create()
    await stack.receiver.next()
    const reason = 'the answer does not have the challenge'
    expect(await stack.until(body.webhookId, (one) => one.reason !== null)).toMatchObject({
      status: 'unverified',
      reason,
    })
    await stack.age(11)
    await stack.receiver.next()
    await stack.until(body.webhookId, ({ nextAttemptAt, failingSince }) => {
      const pause = Date.parse(String(nextAttemptAt)) - Date.parse(String(failingSince))
      return pause > 29_000
    })
    stack.receiver.answerBy(({ message }, response) => response.end(message.challenge))
    const test = await stack.change(body.webhookId, 'test')
    expect(test.body).toMatchObject({ status: 'active', isAnswered: true, delivery: { status: 200, error: null } })
  })

  it('given no test that was answered, then it gets no entry', async () => {
    stack.receiver.answerBy((_, response) => response.writeHead(404).end())
    const { body } = await stack.create()
    await stack.receiver.next()
    await stack.until(body.webhookId, (one) => one.reason === 'it answered 404')
    await stack.log.mine(2, 1)
    await stack.log.append(2)
    await stack.api.deps.webhooks.run()
    expect(stack.receiver.received.filter(({ message }) => message.kind !== 'test')).toEqual([])
    expect((await stack.change(body.webhookId, 'resume')).status).toBe(409)
  })

  it('given a URL of http in a public deployment, then it is refused', async () => {
    stack.api.deps.deployment.local = false
    try {
      const { status, body } = await stack.create({ url: 'http://hook.example/' })
      expect([status, body.issues?.[0]?.path]).toEqual([400, 'url'])
    } finally {
      stack.api.deps.deployment.local = true
    }
  })

  it.each([
    [{ kinds: ['task.created'], filters: { minReward: '5' } }, 'filters'],
    [{ filters: {} }, 'filters'],
    [{ filters: { mode: 'ALL' } }, 'filters'],
    [{ kinds: [] }, 'kinds'],
    [{ kinds: ['task.eaten'] }, 'kinds.0'],
  ])('given %j, then it is refused', async (more, path) => {
    const { status, body } = await stack.create(more)
    expect([status, body.issues?.[0]?.path]).toEqual([400, path])
  })

  it('given a signature of another wallet, another URL or another time, then it is refused', async () => {
    const place = { host: '127.0.0.1:3000', now: START }
    const { url } = stack.receiver
    const body = await creationBody(stack.requester, { url }, place)
    const other = anActor()
    const tries = [
      { ...body, address: other.address },
      { ...body, url: `${url}&more` },
      { ...body, timestamp: body.timestamp + 1 },
      await creationBody(stack.requester, { url }, { ...place, host: 'other.example' }),
    ]
    for (const tried of tries) expect((await stack.api.post('/api/webhooks', tried)).status).toBe(403)
    const late = await creationBody(stack.requester, { url }, { ...place, now: START - 400n })
    expect((await stack.api.post('/api/webhooks', late)).status).toBe(400)
    expect((await stack.api.post('/api/webhooks', body)).status).toBe(200)
    expect((await stack.api.post('/api/webhooks', body)).status).toBe(409)
    await stack.api.sql`delete from service.webhooks`
    expect((await stack.api.post('/api/webhooks', body)).status).toBe(409)
  })

  it('given as many as a wallet or a client may have, then one more is refused, and possible after a deletion', async () => {
    const ids: string[] = []
    for (let count = 0; count < 5; count += 1) ids.push((await stack.create()).body.webhookId)
    expect((await stack.create()).status).toBe(409)
    const others = [anActor(), anActor(), anActor()]
    const statuses = []
    for (const of of others) statuses.push((await stack.create({ of })).status)
    expect(statuses).toEqual([200, 200, 429])
    expect((await stack.change(ids[0] ?? '', 'delete')).body).toEqual({ success: true })
    expect((await stack.create()).status).toBe(200)
  })

  it('given unverified and abandoned ones, then they are deleted after their time', async () => {
    stack.receiver.answerBy((_, response) => response.writeHead(500).end())
    const { body } = await stack.create()
    await stack.until(body.webhookId, (one) => one.reason !== null)
    const bounds = { unverifiedSeconds: 3_600, pausedSeconds: 7_776_000 }
    await deleteAbandoned(stack.api.sql, bounds)
    await stack.until(body.webhookId, () => true)
    await stack.age(3_601)
    await stack.until(body.webhookId, (one) => one.status === 'unverified')
    // Not while a test of it is under way.
    await vi.waitFor(async () => {
      await deleteAbandoned(stack.api.sql, bounds)
      expect((await stack.read(`/api/webhooks/${body.webhookId}/deliveries`)).status).toBe(404)
    }, 60_000)
  })
})

describe('reading webhooks', () => {
  it('given another wallet, no identity or one without an end, then nothing is shown', async () => {
    const { body } = await stack.create()
    const list = `/api/webhooks?address=${stack.requester.address}`
    const deliveries = `/api/webhooks/${body.webhookId}/deliveries`
    const other = anActor()
    expect((await stack.read(list, other)).status).toBe(403)
    expect((await stack.read(deliveries, other)).status).toBe(404)
    const lasting = await readHeadersOf(stack.requester)
    for (const path of [list, deliveries]) {
      expect((await stack.api.get(path)).status).toBe(401)
      expect((await stack.api.get(path, lasting)).status).toBe(401)
      const shown = await stack.read(path)
      expect(shown.status).toBe(200)
      expect(JSON.stringify(shown.body)).not.toContain(body.secret.slice(6))
    }
  })

  it('given a stored secret, then the row does not have it', async () => {
    const { body } = await stack.create()
    const key = Buffer.from(body.secret.slice(6), 'base64')
    const [row] = await stack.api.sql<{ sealedSecret: Buffer }[]>`select sealed_secret from service.webhooks`
    expect(row?.sealedSecret.includes(key)).toBe(false)
  })
})

it('given any change signed by another wallet or of no webhook, then it is refused', async () => {
  const { body } = await stack.create()
  for (const verb of ['rotate', 'resume', 'test', 'replay', 'delete'] as const) {
    const more = verb === 'replay' ? { after: '0123456789ab-1' } : {}
    expect((await stack.change(body.webhookId, verb, more, anActor())).status).toBe(403)
    expect((await stack.change('00000000-0000-4000-8000-000000000000', verb, more)).status).toBe(404)
  }
})
