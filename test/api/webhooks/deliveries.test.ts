import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { passOver } from '../../../api/events/webhooks/webhooks.queries.ts'
import { anActor } from '../../support/actors.ts'
import { byDepth } from '../../support/depth.ts'
import { accept, type Received, refuseBy } from '../../support/webhooks/receiver.ts'
import { startWebhookStack, type WebhookStack } from '../../support/webhooks/webhook-stack.ts'
import { createLogRows } from '../events/log-rows.ts'

let stack: WebhookStack
let block = 1
beforeAll(async () => {
  stack = await startWebhookStack()
})
afterAll(() => stack?.stop())
beforeEach(async () => {
  block = 1
  await stack.log.clear()
  await stack.log.append(block)
  stack.receiver.forget()
})
afterEach(async () => {
  stack.receiver.answerBy(accept)
  await stack.api.sql`delete from service.webhooks`
})

/** So many new entries of the task, in one block. */
async function happen(events: number, name?: string): Promise<void> {
  block += 1
  await stack.log.mine(block, events, name)
  await stack.log.append(block)
}

const logIds = async (count: number): Promise<string[]> => {
  const { body } = await stack.api.get('/api/events?limit=500')
  return body.events.map(({ id }: { id: string }) => id).slice(-count)
}

const entriesOf = (received: readonly Received[]) => received.filter(({ message }) => message.kind !== 'test')
const idsOf = (received: readonly Received[]) => entriesOf(received).map(({ message }) => message.id)

const until = (isSo: () => Promise<boolean> | boolean) =>
  vi.waitFor(async () => expect(await isSo()).toBe(true), { timeout: 60_000, interval: 20 })

/** Waits for a delivery that is in the list of its webhook. */
const untilDelivered = async (webhookId: string, count: number) => {
  await until(async () => {
    const { body } = await stack.read(`/api/webhooks/${webhookId}/deliveries`)
    return body.deliveries.filter(({ status }: { status: number }) => status === 200).length >= count
  })
}

/** Waits until all entries were delivered or passed over. */
const untilAtEnd = async (webhookId: string) => {
  await until(async () => {
    await passOver(stack.api.sql)
    const rows = await stack.api.sql`
      select from service.webhooks w, service.event_log l where w.position = l.last_sequence and w.id = ${webhookId}`
    return rows.length === 1
  })
}

describe('deliveries', () => {
  it('given new entries, then each is posted once, in order, as GET /api/events has it, and signed', async () => {
    const { webhookId, secret } = await stack.createActive()
    await happen(3)
    await untilDelivered(webhookId, 4)
    const entries = entriesOf(stack.receiver.received)
    const { body } = await stack.api.get('/api/events?limit=500')
    expect(entries.map(({ message }) => message)).toEqual(body.events.slice(-3))
    for (const { headers, message, body: text } of entries) {
      expect(headers['webhook-id']).toBe(message.id)
      expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toEqual(message)
    }
  })

  it('given answers that fail, then the same entry is sent again before the next, whatever fails and how often', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(200, 204, 299, 300, 302, 404, 410, 500, 503, 'cut', 'large'), { maxLength: 8 }),
        async (answers) => {
          stack.receiver.answerBy(accept)
          const { webhookId } = await stack.createActive()
          stack.receiver.forget()
          const left = [...answers]
          const good: string[] = []
          stack.receiver.answerBy(({ message }, response) => {
            const answer = left.shift() ?? 200
            if (answer === 'cut') return response.destroy()
            if (typeof answer === 'string') return response.end('x'.repeat(70_000))
            if (answer < 300) good.push(message.id)
            return response.writeHead(answer, { Location: '/hook' }).end()
          })
          await happen(3)
          const ids = await logIds(3)
          await until(async () => {
            await stack.hurry()
            return good.length === 3
          })
          expect(good).toEqual(ids)
          const sent = idsOf(stack.receiver.received)
          expect([...new Set(sent)]).toEqual(ids)
          expect(sent).toEqual(sent.toSorted((one, other) => ids.indexOf(one) - ids.indexOf(other)))
          await stack.api.sql`delete from service.webhooks where id = ${webhookId}`
        },
      ),
      { numRuns: byDepth(4, 12), seed: 7 },
    )
  })

  it('given a receiver that fails for a day, then the webhook is paused, and goes on at its place when it is resumed', async () => {
    const { webhookId } = await stack.createActive()
    stack.receiver.answerBy(refuseBy(503))
    await happen(2)
    await stack.until(webhookId, ({ lastStatus }) => lastStatus === 503)
    await stack.age(86_390)
    await stack.until(webhookId, ({ nextAttemptAt, failingSince }) => {
      const last = Date.parse(String(nextAttemptAt)) - Date.parse(String(failingSince))
      return Math.abs(last - 86_400_000) < 2_000
    })
    await stack.age(30)
    const paused = await stack.until(webhookId, ({ status }) => status === 'paused')
    expect(paused).toMatchObject({ reason: 'it answered 503', nextAttemptAt: null, pausedAt: expect.any(String) })
    const sent = stack.receiver.received.length
    await happen(1)
    await stack.api.deps.webhooks.run()
    expect(stack.receiver.received.length).toBe(sent)
    stack.receiver.forget()
    stack.receiver.answerBy(accept)
    expect((await stack.change(webhookId, 'resume')).body).toEqual({ webhookId, status: 'active' })
    await untilDelivered(webhookId, 4)
    expect(idsOf(stack.receiver.received)).toEqual(await logIds(3))
    expect(await stack.until(webhookId, () => true)).toMatchObject({ status: 'active', reason: null, pausedAt: null })
  })

  it('given a place that is not kept any more, then one gap is told, and what is kept follows', async () => {
    const { webhookId } = await stack.createActive()
    stack.receiver.answerBy(refuseBy(500))
    await happen(3)
    await stack.until(webhookId, ({ lastStatus }) => lastStatus === 500)
    await stack.api.sql`update service.webhooks set status = 'paused', paused_at = now()`
    await happen(1)
    const [kept] = await logIds(1)
    await stack.api.sql`
      delete from service.events where sequence < (select last_sequence from service.event_log)`
    stack.receiver.forget()
    stack.receiver.answerBy(accept)
    await stack.change(webhookId, 'resume')
    await untilDelivered(webhookId, 3)
    const [gap, ...others] = entriesOf(stack.receiver.received)
    const [epoch, sequence] = (kept ?? '').split('-')
    expect(gap?.message).toEqual({ kind: 'gap', webhookId, data: { next: `${epoch}-${Number(sequence) - 1}` } })
    expect(others.map(({ message }) => message.id)).toEqual([kept])
  })

  it('given a replay, then the entries behind the place come again, with the same ids', async () => {
    const { webhookId } = await stack.createActive()
    await happen(4)
    await untilDelivered(webhookId, 5)
    const ids = await logIds(4)
    expect((await stack.change(webhookId, 'replay', { after: ids[1] })).body).toEqual({ webhookId, status: 'active' })
    await untilDelivered(webhookId, 7)
    expect(idsOf(stack.receiver.received)).toEqual([...ids, ...ids.slice(2)])
    expect((await stack.change(webhookId, 'replay', { after: 'x' })).status).toBe(400)
    const gone = await stack.change(webhookId, 'replay', { after: '0123456789ab-1' })
    expect([gone.status, gone.body.service.detail]).toEqual([410, 'events_gone'])
  })

  it('given a rotation, then both secrets verify for a day, and only the new one after it', async () => {
    const { webhookId, secret } = await stack.createActive()
    const { body } = await stack.change(webhookId, 'rotate')
    const isSignedBy = ({ headers, body: text }: Received, key: string) => {
      try {
        new Webhook(key).verify(text, headers as Record<string, string>)
        return true
      } catch {
        return false
      }
    }
    await happen(1)
    await untilDelivered(webhookId, 2)
    await stack.api.sql`update service.webhooks set earlier_until = now() - interval '1 second'`
    await happen(1)
    await untilDelivered(webhookId, 3)
    const signedBy = entriesOf(stack.receiver.received).map((one) => [
      isSignedBy(one, secret),
      isSignedBy(one, body.secret),
    ])
    expect(signedBy).toEqual([
      [true, true],
      [false, true],
    ])
  })

  it('given many webhooks of one host, then it has one connection at a time', async () => {
    const hooks = []
    for (let count = 0; count < 5; count += 1) hooks.push(await stack.createActive())
    await happen(3)
    for (const { webhookId } of hooks) await untilDelivered(webhookId, 4)
    expect(stack.receiver.mostAtOnce()).toBe(1)
  })

  it('given more attempts than are kept, then the newest 50 are shown', async () => {
    const { webhookId } = await stack.createActive()
    await happen(60)
    const ids = await logIds(50)
    const shown = async () => {
      const { body } = await stack.read(`/api/webhooks/${webhookId}/deliveries`)
      return body.deliveries.map(({ id }: { id: string }) => id)
    }
    await until(async () => (await shown())[0] === ids.at(-1))
    expect(await shown()).toEqual(ids.toReversed())
  })

  it('given entries that nothing asks for, then the place moves over them without a delivery', async () => {
    const { webhookId } = await stack.createActive({ kinds: ['vault.exited'] })
    await happen(2)
    await untilAtEnd(webhookId)
    expect(entriesOf(stack.receiver.received)).toEqual([])
  })
})

describe('what a webhook gets', () => {
  it('given filters and kinds, then the entries that a GET with the same finds', async () => {
    const { createActive, taskId } = stack
    const [all, none, kinds] = [
      await createActive({ filters: { taskId } }),
      await createActive({ filters: { taskId, mode: 'auction' } }),
      await createActive({ filters: { mode: 'bounty' }, kinds: ['task.expired'] }),
    ]
    await happen(1, 'TaskExpired')
    await happen(1, 'TaskCancelled')
    await untilDelivered(all.webhookId, 3)
    await untilDelivered(kinds.webhookId, 2)
    const kindsOf = async (webhookId: string) => {
      const { body } = await stack.read(`/api/webhooks/${webhookId}/deliveries`)
      return body.deliveries.map(({ kind }: { kind: string }) => kind).toReversed()
    }
    expect(await kindsOf(all.webhookId)).toEqual(['test', 'task.expired', 'task.cancelled'])
    expect(await kindsOf(kinds.webhookId)).toEqual(['test', 'task.expired'])
    expect(await kindsOf(none.webhookId)).toEqual(['test'])
  })

  it('given a private task, then its requester gets its entries and another wallet none', async () => {
    const hidden = await stack.api.seed.task({ requester: stack.requester.address }, { taskVisibility: 'private' })
    const log = createLogRows(stack.api, { taskId: hidden.id, subject: anActor().address })
    const filters = { taskId: hidden.id }
    const own = await stack.createActive({ filters })
    const { body: other } = await stack.create({ filters, of: anActor() })
    await until(() => stack.receiver.received.length === 2)
    block += 1
    await log.mine(block, 1)
    await log.append(block)
    await untilDelivered(own.webhookId, 2)
    await happen(1)
    await untilAtEnd(other.webhookId)
    expect(idsOf(stack.receiver.received).length).toBe(1)
    const rows = await stack.api.sql`select from service.webhook_deliveries where webhook_id = ${other.webhookId}`
    expect(rows.length).toBe(1)
  })
})
