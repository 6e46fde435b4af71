import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createEventHub } from '../../../api/events/event-hub.ts'
import { createQueueReader } from '../../../api/features/tasks/worklists/read-action-queue.ts'
import { anActor, readHeadersOf } from '../../support/actors.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { byDepth } from '../../support/depth.ts'
import { START } from '../../support/rows/insert-row.ts'
import { createLogRows } from './log-rows.ts'
import { startStreams } from './stream-client.ts'

let api: TestApi
let streams: Awaited<ReturnType<typeof startStreams>>
let log: ReturnType<typeof createLogRows>
let privateLog: ReturnType<typeof createLogRows>
let taskId: Hex
const [requester, worker] = [anActor(), anActor()]

beforeAll(async () => {
  api = await startTestApi()
  taskId = (await api.seed.task({ requester: requester.address })).id
  const hidden = await api.seed.task({ requester: requester.address }, { taskVisibility: 'private' })
  log = createLogRows(api, { taskId, subject: worker.address })
  privateLog = createLogRows(api, { taskId: hidden.id, subject: worker.address })
  streams = await startStreams(api)
})
afterAll(async () => {
  streams?.stop()
  await api?.stop()
})

afterEach(() => streams.closeAll())
beforeEach(async () => {
  await log.clear()
  await log.append(1)
})

const epochNow = async () => {
  const [row] = await api.sql<{ epoch: string }[]>`select epoch from service.event_log`
  return row?.epoch ?? ''
}

const logIds = async () => {
  const { body } = await api.get('/api/events?limit=500')
  return body.events.map(({ id }: { id: string }) => id)
}

/** A hub of its own, and streams of it without HTTP. */
async function aHub(settings: { beatMs?: number } = {}) {
  const hub = createEventHub({ ...api.deps, readQueue: createQueueReader(api.deps), ...settings })
  await hub.start()
  const plain = { client: '1', caller: null, end: null, filters: {}, after: 0n, epoch: await epochNow() }
  const open = (out: PassThrough, fields: Partial<Parameters<typeof hub.open>[0]> = {}) =>
    hub.open({ ...plain, ...fields }, out)
  return { hub, open }
}

describe('server-sent events', () => {
  it(
    'given a reader that connects, reads some entries and leaves, again and again, then it gets each entry once and in order',
    async () => {
      const step = fc.record({ events: fc.nat(5), reads: fc.nat(6) })
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), async (steps) => {
          await log.clear()
          await log.append(1)
          let place = `${await epochNow()}-0`
          let [block, left] = [1, 0]
          const got: string[] = []
          for (const { events, reads } of steps) {
            const stream = await streams.connect('', { 'Last-Event-ID': place })
            // Half of them are there before the reader looks, half come while it does.
            block += 1
            await log.mine(block, events)
            await log.append(block)
            left += events
            for (let count = 0; count < Math.min(reads, left); count += 1) {
              const message = await stream.next()
              got.push(message?.id ?? '')
              place = message?.id ?? place
            }
            left -= Math.min(reads, left)
            stream.close()
          }
          expect(got.join(' ')).toBe((await logIds()).slice(0, got.length).join(' '))
        }),
        { numRuns: byDepth(3, 200) },
      )
    },
    byDepth(60_000, 1_200_000),
  )

  it('given a private task, then its requester gets its entries, and a stream without a read identity does not', async () => {
    const [mine, everyones] = [await streams.connect('', await readHeadersOf(requester)), await streams.connect()]
    await privateLog.mine(2, 1)
    await log.mine(3, 1)
    await log.append(3)
    const ids = await logIds()
    expect(JSON.parse((await mine.next())?.data ?? '').taskId).not.toBe(taskId)
    expect((await mine.next())?.id).toBe(ids[0])
    expect(await everyones.next()).toMatchObject({ id: ids[0], event: 'task.cancelled' })
  })

  it('given filters, then the stream has only what passes', async () => {
    const stream = await streams.connect(`?kind=submission.created&address=${worker.address}`)
    await log.mine(2, 2)
    await log.mine(3, 1, 'TaskSubmitted')
    await log.append(3)
    expect((await stream.next())?.event).toBe('submission.created')
  })

  it('given a filter of tasks, then the stream has what their tasks pass', async () => {
    const claimed = await api.seed.task({ requester: requester.address, mode: 'claim' })
    const claims = createLogRows(api, { taskId: claimed.id, subject: worker.address })
    const [passing, other] = [await streams.connect('?mode=bounty'), await streams.connect('?mode=claim')]
    await log.mine(2, 1)
    await claims.mine(3, 1)
    await log.append(3)
    expect(JSON.parse((await passing.next())?.data ?? '').block.number).toBe(2)
    expect(JSON.parse((await other.next())?.data ?? '').block.number).toBe(3)
    await api.sql`update task set mode = 'claim' where id = ${taskId}`
    await log.mine(4, 1)
    await log.append(4)
    expect(JSON.parse((await other.next())?.data ?? '').block.number).toBe(4)
    await api.sql`update task set mode = 'bounty' where id = ${taskId}`
  })

  it('given ids that are begun anew, then streams end, and the place of before is 410', async () => {
    const stream = await streams.connect()
    await log.mine(2, 1)
    await log.append(2)
    const { id = '' } = (await stream.next()) ?? {}
    await log.append(3, 'another run')
    expect(await stream.next()).toBeUndefined()
    const { response } = await streams.connect('', { 'Last-Event-ID': id })
    expect(response.status).toBe(410)
    expect(JSON.stringify(await response.json())).toContain('Last-Event-ID: this place')
  })

  it('given a client with twenty streams, then one more is 429', async () => {
    for (let count = 0; count < 20; count += 1) await streams.connect()
    const refused = await streams.connect()
    expect(refused.response.status).toBe(429)
    expect(await refused.response.json()).toMatchObject({ service: { reason: 'unclassified' } })
  })

  it('given requests that were admitted at once, then no more streams stay open than a client may have', async () => {
    const { hub, open } = await aHub()
    const outs = Array.from({ length: 25 }, () => new PassThrough())
    for (const out of outs) open(out)
    expect(outs.map(({ writableEnded }) => writableEnded)).toEqual(outs.map((_, index) => index >= 20))
    await hub.stop()
    const late = new PassThrough()
    open(late, { client: '2' })
    expect(late.writableEnded).toBe(true)
  })

  it('given a reader that takes nothing, then it is dropped, and no more than a buffer waits for it', async () => {
    const { hub, open } = await aHub({ beatMs: 2 })
    const out = new PassThrough({ highWaterMark: 1_000 })
    open(out)
    await log.mine(2, 30)
    await log.append(2)
    await once(out, 'close')
    expect(out.writableLength + out.readableLength).toBeLessThan(4_000)
    await hub.stop()
  })

  it('given a read identity that ends, then its stream ends', async () => {
    const { hub, open } = await aHub()
    const out = new PassThrough()
    const text = new Response(out as never).text()
    open(out, { caller: requester.address, end: START + 10n })
    api.chain.now = START + 10n
    await log.mine(2, 1)
    await log.append(2)
    expect(await text).toContain(': the read identity has ended')
    // The entries of that block are not for the stream any more.
    expect(await text).not.toContain('task.cancelled')
    await hub.stop()
    api.chain.now = START
  })

  it('given a wallet contract, then its stream ends when a request would ask it again', async () => {
    const { hasCode, verifyMessage } = api.chain
    let isOwner = true
    Object.assign(api.chain, { hasCode: async () => true, verifyMessage: async () => isOwner })
    const headers = {
      'X-Service-Caller-Address': requester.address,
      'X-Service-Caller-Signature': `0x${'ab'.repeat(99)}`,
    }
    const stream = await streams.connect('', headers)
    await privateLog.mine(2, 1)
    await log.append(2)
    expect(await stream.next()).toMatchObject({ event: 'task.cancelled' })
    isOwner = false
    api.chain.now = START + 300n
    await log.mine(3, 1)
    await log.append(3)
    expect(await stream.next()).toBeUndefined()
    Object.assign(api.chain, { hasCode, verifyMessage })
    api.chain.now = START
  })

  it('given a service that ends, then its streams say when to connect again', async () => {
    const { hub, open } = await aHub()
    const out = new PassThrough()
    open(out)
    await hub.stop()
    expect(await new Response(out as never).text()).toMatch(/retry: 1000\n\n$/)
    expect(hub.findRefusal({ client: '2', caller: null })).toBe('process')
  })
})
