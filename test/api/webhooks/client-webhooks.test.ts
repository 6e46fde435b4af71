import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHttpServer } from '../../../api/server/http-server.ts'
import { verifyWebhook, WebhookVerificationError } from '../../../client/src/webhooks/verify-webhook.ts'
import { runTool } from '../../support/client/silent-io.ts'
import type { Received } from '../../support/webhooks/receiver.ts'
import { startWebhookStack, type WebhookStack } from '../../support/webhooks/webhook-stack.ts'

let stack: WebhookStack
let server: Server
let env: Record<string, string>
const directory = mkdtempSync(join(tmpdir(), 'task-market-webhooks-'))

beforeAll(async () => {
  stack = await startWebhookStack()
  const { app, deps } = stack.api
  server = createHttpServer(app, { hostname: '127.0.0.1', log: deps.log, bodyTimeout: 60_000 })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  // The tool goes by the clock of this machine.
  stack.api.chain.now = BigInt(Math.floor(Date.now() / 1000))
  // Signed texts name the host that clients reach the service by.
  deps.config.PUBLIC_BASE_URL = url
  const file = join(directory, 'deployment.json')
  writeFileSync(file, JSON.stringify(deps.deployment))
  env = {
    TASK_MARKET_URL: url,
    TASK_MARKET_DEPLOYMENT: file,
    TASK_MARKET_HOME: join(directory, 'home'),
    TASK_MARKET_PRIVATE_KEY: stack.requester.key,
  }
})
afterAll(async () => {
  server?.closeAllConnections()
  server?.close()
  await stack?.stop()
  rmSync(directory, { recursive: true })
})

const run = async (...argv: string[]) => {
  // A text counts once, and the second in which it was signed is over for a person.
  await stack.api.sql`update service.webhooks set signed_at = signed_at - 1`
  const { exit, out, err } = await runTool(['webhooks', ...argv, '--real-key'], { env })
  expect(err).toBe('')
  expect(exit).toBe(0)
  return out
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

/** The request as a program of a user gets it. */
const toRequest = ({ headers, body }: Received) =>
  new Request('http://receiver.example/', { method: 'POST', body, headers: headers as Record<string, string> })

describe('task-market webhooks', () => {
  it('given a webhook from its creation to its end, then each command does its part, and messages verify', async () => {
    const [created] = await run('create', stack.receiver.url, '--kind', 'task.cancelled', '--task', stack.taskId)
    const { webhookId, secret } = created
    const test = await stack.receiver.next()
    const message = await verifyWebhook(toRequest(test), secret)
    expect(message).toEqual({ kind: 'test', webhookId, challenge: expect.any(String) })
    const [listed] = await run('list')
    expect(listed).toMatchObject({ webhookId, url: stack.receiver.url, kinds: ['task.cancelled'] })
    expect(listed.filters).toEqual({ taskId: stack.taskId })
    const [tested] = await run('test', webhookId)
    expect(tested).toMatchObject({ webhookId, status: 'active', isAnswered: true, delivery: { status: 200 } })
    await stack.receiver.next()
    await stack.log.mine(2, 1)
    await stack.log.append(2)
    const entry = await stack.receiver.next()
    const event = await verifyWebhook(toRequest(entry), ['whsec_c2VjcmV0', secret])
    expect(event).toMatchObject({ kind: 'task.cancelled', taskId: stack.taskId, data: { refund: '0' } })
    const [rotated] = await run('rotate', webhookId)
    expect((await run('resume', webhookId))[0]).toEqual({ webhookId, status: 'active' })
    const [before] = (await stack.api.get('/api/events?limit=1')).body.events.slice(-1)
    const [epoch, sequence] = before.id.split('-')
    await run('replay', webhookId, '--after', `${epoch}-${Number(sequence) - 1}`)
    const again = await stack.receiver.next()
    expect(again.headers['webhook-id']).toBe(entry.headers['webhook-id'])
    const headers = Object.entries(again.headers).map(([name, value]) => [name.toUpperCase(), String(value)] as const)
    const bytes = Buffer.from(again.body)
    const forms = [
      toRequest(again),
      again,
      { headers, body: bytes },
      { headers: new Headers(toRequest(again).headers), body: bytes },
    ]
    for (const [index, form] of forms.entries())
      expect(await verifyWebhook(form, index % 2 === 0 ? secret : rotated.secret)).toEqual(event)
    const parsed = { headers: again.headers, body: again.message }
    await expect(verifyWebhook(parsed, secret)).rejects.toThrow('not what was parsed')
    await expect(verifyWebhook(toRequest(again), 'whsec_c2VjcmV0')).rejects.toThrow(WebhookVerificationError)
    // A delivery is recorded once its answer has arrived.
    const listKinds = async () => (await run('deliveries', webhookId, '--limit', '2')).map(({ kind }) => kind)
    await expect.poll(listKinds).toEqual(['task.cancelled', 'task.cancelled'])
    expect(await run('delete', webhookId, '--yes')).toEqual([{ success: true }])
    expect(await run('list')).toEqual([])
  })

  it('given a refusal, then the tool says why and ends with its code', async () => {
    const { exit, err } = await runTool(['webhooks', 'create', 'gopher://hook.example', '--real-key'], { env })
    expect([exit, err]).toEqual([2, expect.stringContaining('must begin with https://')])
    const unknown = ['webhooks', 'resume', '00000000-0000-4000-8000-000000000000', '--real-key']
    expect((await runTool(unknown, { env })).exit).toBe(3)
  })
})

describe('verifyWebhook', () => {
  it('given no secret, no signature or a body that is no message, then it throws', async () => {
    const bare = () => new Request('http://receiver.example/', { method: 'POST', body: '{"kind":"test"}' })
    await expect(verifyWebhook(bare(), [])).rejects.toThrow(WebhookVerificationError)
    await expect(verifyWebhook(bare(), 'whsec_c2VjcmV0')).rejects.toThrow(WebhookVerificationError)
  })
})
