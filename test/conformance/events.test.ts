import { createHash } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { verifyWebhook, type WebhookMessage } from '../../client/src/webhooks/verify-webhook.ts'
import { localNetwork } from '../../scripts/contracts/network.ts'
import type { Actor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aTaskBody } from '../support/conformance-fixtures.ts'

const environment = openEnvironment()

describe('Events: GET /events', () => {
  test('tells of a created task in a stream and in pages, with its place in the chain', async () => {
    const requester = await environment.aWallet()
    const end = new AbortController()
    const stream = await fetch(`${environment.baseUrl}/api/events?address=${requester.address}`, {
      headers: { Accept: 'text/event-stream' },
      signal: end.signal,
    })
    const { body: created } = await environment.pay(requester, '/tasks', aTaskBody({ reward: '1234567' }))
    const told = await readEntry(stream)
    end.abort()
    const { body: page } = await environment.get(`/events?taskId=${created.taskId}`)
    expect(page.events).toEqual([told])
    const { body: intent } = await environment.get(`/intents?intentId=${created.intentId}`, { as: requester })
    expect(told).toMatchObject({
      kind: 'task.created',
      txHash: intent.txHash,
      taskId: created.taskId,
      data: { requester: requester.account.address, reward: '1234567' },
    })
    const { body: rest } = await environment.get(`/events?taskId=${created.taskId}&after=${page.next}`)
    expect(rest.events).toEqual([])
  })

  test('names the place that is not known', async () => {
    const { status, body } = await environment.get(`/events?after=${'0'.repeat(12)}-1`)
    expect([status, body.service.detail]).toEqual([410, 'events_gone'])
    expect((await environment.get('/events?after=nonsense')).status).toBe(400)
  })
})

describe('Events: webhooks', () => {
  test('posts signed entries of its wallet, once the URL has answered the challenge', async () => {
    const wallet = await environment.aWallet()
    const receiver = await startReceiver()
    try {
      const { status, body } = await environment.post('/webhooks', {
        body: await aWebhook(wallet, receiver.url),
        key: null,
      })
      expect(status).toBe(200)
      receiver.setSecret(body.secret)
      expect(await receiver.next()).toMatchObject({ kind: 'test', webhookId: body.webhookId })
      const { body: created } = await environment.pay(wallet, '/tasks', aTaskBody())
      expect(await receiver.next()).toMatchObject({ kind: 'task.created', taskId: created.taskId })
    } finally {
      await receiver.stop()
    }
  })

  test('refuses a URL that another wallet has signed', async () => {
    const [wallet, other] = [await environment.aWallet(), await environment.aWallet()]
    const body = { ...(await aWebhook(other, 'http://127.0.0.1:1/')), address: wallet.account.address }
    expect((await environment.post('/webhooks', { body, key: null })).status).toBe(403)
  })
})

/** The first entry of a stream. */
async function readEntry({ body }: Response): Promise<unknown> {
  let pending = ''
  for await (const chunk of body ?? []) {
    pending += Buffer.from(chunk).toString()
    const [, data] = /event: (?!position)[^\n]+\ndata: ([^\n]+)\n\n/.exec(pending) ?? []
    if (data !== undefined) return JSON.parse(data)
  }
  throw new Error(`the stream ended: ${pending}`)
}

/** The body of a creation. */
async function aWebhook({ account, address }: Actor, url: string) {
  const timestamp = Number(await environment.chain.headTime())
  const hash = createHash('sha256').update(url).digest('hex')
  const message = `service:webhook:create:${localNetwork.chainId}:${new URL(environment.baseUrl).host}:${address}:${hash}:${timestamp}`
  return { address: account.address, url, timestamp, signature: await account.signMessage({ message }) }
}

/** A receiver that verifies what it gets, and answers challenges. It answers nothing before it has the secret. */
async function startReceiver() {
  const news = new EventEmitter()
  const messages: WebhookMessage[] = []
  let setSecret = (_: string) => {}
  const secret = new Promise<string>((resolve) => {
    setSecret = resolve
  })
  const server = createServer(async (request, response) => {
    const message = await verifyWebhook({ headers: request.headers, body: await text(request) }, await secret)
    messages.push(message)
    news.emit('message')
    response.end(message.kind === 'test' ? message.challenge : '')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    setSecret: (shown: string) => setSecret(shown),
    next: async (): Promise<WebhookMessage | undefined> => {
      if (messages.length === 0) await once(news, 'message')
      return messages.shift()
    },
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
