import type { Hex } from 'viem'
import { vi } from 'vitest'
import { type Loop, startLoop } from '../../../api/concurrency/loop.ts'
import { WEBHOOKS_CHANNEL } from '../../../api/events/webhooks/webhooks.queries.ts'
import { EVENTS_CHANNEL } from '../../../api/read-model/row-changes.ts'
import type { WebhookVerb } from '../../../protocol/signed/account-texts.ts'
import { createLogRows } from '../../api/events/log-rows.ts'
import { type Actor, anActor, expiringReadHeadersOf } from '../actors.ts'
import { type Answer, startTestApi, type TestApi } from '../api.ts'
import { START } from '../rows/insert-row.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { creationBody, signChange } from './signed-webhooks.ts'

/** The service on rows with a log of one task, its loop of webhooks, and a receiver. */
export interface WebhookStack {
  api: TestApi
  receiver: Receiver
  log: ReturnType<typeof createLogRows>
  taskId: Hex
  requester: Actor
  /** Creates a webhook of the requester to the receiver; the answer. */
  create(more?: { url?: string; kinds?: string[]; filters?: object; of?: Actor }): Promise<Answer>
  /** The same, once its test was answered. */
  createActive(more?: Parameters<WebhookStack['create']>[0]): Promise<{ webhookId: string; secret: string }>
  /** Sends a signed change of a webhook. */
  change(webhookId: string, verb: WebhookVerb, body?: object, by?: Actor): Promise<Answer>
  read(path: string, by?: Actor): Promise<Answer>
  /** Waits until the webhook, as its wallet is shown it, passes. */
  until(webhookId: string, passes: (webhook: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>
  /** Lets the time of failed attempts come: moves all their times back by so many seconds. */
  age(seconds: number): Promise<void>
  /** Has failed attempts repeated now. */
  hurry(): Promise<void>
  stop(): Promise<void>
}

/** Starts it. */
export async function startWebhookStack(environment: Record<string, string> = {}): Promise<WebhookStack> {
  const api = await startTestApi(environment)
  const receiver = await startReceiver()
  const requester = anActor()
  const { id: taskId } = await api.seed.task({ requester: requester.address })
  const log = createLogRows(api, { taskId, subject: anActor().address })
  await log.setHead(1)
  await log.append()
  const { webhooks, config } = api.deps
  const { host } = new URL(config.PUBLIC_BASE_URL)
  const loop: Loop = startLoop({
    name: 'webhooks',
    log: api.deps.log,
    metrics: { loopRan: () => {} },
    run: webhooks.run,
  })
  webhooks.onFree(loop.wake)
  const listening = [await api.sql.listen(EVENTS_CHANNEL, loop.wake), await api.sql.listen(WEBHOOKS_CHANNEL, loop.wake)]
  let signed = 0n
  // A later second each time: a text counts once.
  const place = () => {
    signed += 1n
    return { host, now: START + signed }
  }
  const create: WebhookStack['create'] = async ({ of = requester, url = receiver.url, ...more } = {}) =>
    await api.post('/api/webhooks', await creationBody(of, { url, ...more }, place()))
  const read: WebhookStack['read'] = async (path, by = requester) =>
    await api.get(path, await expiringReadHeadersOf(by, { baseUrl: config.PUBLIC_BASE_URL, now: START }))
  const until: WebhookStack['until'] = async (webhookId, passes) =>
    await vi.waitFor(
      async () => {
        const { body } = await read(`/api/webhooks?address=${requester.address}`)
        const webhook = body.webhooks.find((one: { webhookId: string }) => one.webhookId === webhookId)
        if (webhook === undefined || !passes(webhook)) throw new Error(`not yet: ${JSON.stringify(webhook)}`)
        return webhook
      },
      { timeout: 60_000, interval: 10 },
    )
  return {
    api,
    receiver,
    log,
    taskId,
    requester,
    create,
    read,
    until,
    createActive: async (more) => {
      const { body } = await create(more)
      await until(body.webhookId, ({ status }) => status === 'active')
      return body
    },
    change: async (webhookId, verb, body = {}, by = requester) => {
      const isDeletion = verb === 'delete'
      const sent = { ...body, ...(await signChange(by, { verb, subject: webhookId }, place())) }
      const path = `/api/webhooks/${webhookId}${isDeletion ? '' : `/${verb}`}`
      if (!isDeletion) return await api.post(path, sent)
      const headers = { 'Content-Type': 'application/json' }
      const response = await api.app.request(path, { method: 'DELETE', body: JSON.stringify(sent), headers })
      return { status: response.status, headers: response.headers, body: await response.json() }
    },
    age: async (seconds) => {
      await api.sql`
        update service.webhooks set next_attempt_at = next_attempt_at - make_interval(secs => ${seconds}),
          failing_since = failing_since - make_interval(secs => ${seconds}),
          created_at = created_at - make_interval(secs => ${seconds}),
          paused_at = paused_at - make_interval(secs => ${seconds})`
      await api.sql`select pg_notify(${WEBHOOKS_CHANNEL}, '')`
    },
    hurry: async () => {
      await api.sql`update service.webhooks set next_attempt_at = now() where next_attempt_at > now()`
      await api.sql`select pg_notify(${WEBHOOKS_CHANNEL}, '')`
    },
    stop: async () => {
      await Promise.all(listening.map(({ unlisten }) => unlisten()))
      await webhooks.stop()
      await loop.stop()
      await receiver.stop()
      await api.stop()
    },
  }
}
