import fc from 'fast-check'
import type { Hex } from 'viem'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { RETENTION_SECONDS } from '../../../api/events/append-events.ts'
import { anActor } from '../../support/actors.ts'
import { byDepth } from '../../support/depth.ts'
import { aStartedApi } from '../writes/started-api.ts'
import { createLogRows, timeOf } from './log-rows.ts'

let taskId: Hex
let log: ReturnType<typeof createLogRows>
const requester = anActor()
const worker = anActor()

const api = aStartedApi()
beforeAll(async () => {
  taskId = (await api.seed.task({ requester: requester.address })).id
  log = createLogRows(api, { taskId, subject: worker.address })
})
beforeEach(async () => {
  await log.clear()
})

/** The tables of the log as they are, to go back to. */
async function save() {
  await api.sql`
    drop table if exists saved_log, saved_events, saved_parties;
    create table saved_log as table service.event_log;
    create table saved_events as table service.events;
    create table saved_parties as table service.event_parties`.simple()
}

async function restore() {
  await api.sql`
    truncate service.events, service.event_parties, service.event_log;
    insert into service.event_log table saved_log;
    insert into service.events table saved_events;
    insert into service.event_parties table saved_parties`.simple()
}

/** What the rows say: the place and the amount of each. */
async function rowsNow() {
  const rows = await api.sql<{ blockNumber: bigint; transactionHash: Hex; refund: string }[]>`
    select block_number, transaction_hash, args->>'refund' as refund from task_event order by block_number, log_index`
  return rows.map(({ blockNumber, transactionHash, refund }) => `${blockNumber} ${transactionHash} ${refund}`).sort()
}

/** A client that applies pages, and begins again at what is final after a 410. */
function createReader() {
  const live = new Map<string, { block: number; text: string }>()
  let place: string | null = null
  let finalizedUpTo = -1
  const readPage = async (limit: number) => {
    const from = place === null ? `fromBlock=${finalizedUpTo + 1}` : `after=${place}`
    const { status, body } = await api.get(`/api/events?limit=${limit}&${from}`)
    if (status === 410) {
      place = null
      for (const [id, { block }] of live) if (block > finalizedUpTo) live.delete(id)
      return true
    }
    expect(status).toBe(200)
    for (const { id, kind, block, txHash, data } of body.events) {
      if (kind === 'reverted') live.delete(data.eventId)
      else {
        expect(live.has(id)).toBe(false)
        live.set(id, { block: block.number, text: `${block.number} ${txHash} ${data.refund}` })
      }
    }
    const isMore = body.next !== place && body.next !== null
    place = body.next
    finalizedUpTo = body.finalizedUpTo ?? -1
    return isMore
  }
  return {
    readPage,
    readAll: async () => {
      while (await readPage(3));
    },
    texts: () => [...live.values()].map(({ text }) => text).sort(),
  }
}

const step = fc.oneof(
  fc.record({ act: fc.constant('blocks' as const), blocks: fc.integer({ min: 1, max: 40 }), events: fc.nat(6) }),
  fc.record({ act: fc.constant('reorg' as const), depth: fc.integer({ min: 1, max: 60 }), kept: fc.boolean() }),
  fc.record({ act: fc.constant('restart' as const) }),
  fc.record({ act: fc.constant('save' as const) }),
  fc.record({ act: fc.constant('restore' as const) }),
  fc.record({ act: fc.constant('append' as const) }),
  fc.record({ act: fc.constant('read' as const), limit: fc.integer({ min: 1, max: 20 }) }),
)

describe('the log of changes', () => {
  it(
    'given random histories with reorgs, restarts and readers that come and go, then a reader ends with exactly the rows',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 20 }), async (steps) => {
          await log.clear()
          let head = 100
          let origin = 0
          await log.setHead(head)
          const reader = createReader()
          const reorg = async ({ depth, kept }: { depth: number; kept: boolean }) => {
            const common = head - depth
            const lost = await api.sql`delete from task_event where block_number > ${common} returning id`
            // The same events one block later and in other transactions, or only some of them.
            await log.mine(common + 1, kept ? lost.length : Math.floor(lost.length / 2))
            await log.setHead(head, `run ${origin}`)
          }
          await log.append()
          await save()
          for (const todo of steps) {
            if (todo.act === 'blocks') {
              await log.mine(head + 1, todo.events)
              head += todo.blocks
              await log.setHead(head, `run ${origin}`)
            } else if (todo.act === 'reorg') await reorg(todo)
            else if (todo.act === 'save') await save()
            else if (todo.act === 'restart') {
              origin += 1
              await log.setHead(head, `run ${origin}`)
            } else if (todo.act === 'restore') {
              // A database that went back, and was indexed again up to the same height, with other blocks at its end.
              await restore()
              origin += 1
              await reorg({ depth: 60, kept: true })
            } else if (todo.act === 'append') await log.append()
            else await reader.readPage(todo.limit)
          }
          await log.append()
          await reader.readAll()
          expect(reader.texts()).toEqual(await rowsNow())
        }),
        {
          numRuns: byDepth(4, 400),
          // The ids of before the database went back are those of other entries now.
          examples: [
            [
              [
                { act: 'blocks', blocks: 1, events: 1 },
                { act: 'append' },
                { act: 'read', limit: 1 },
                { act: 'reorg', depth: 1, kept: true },
                { act: 'restore' },
              ],
            ],
          ],
        },
      )
    },
    byDepth(60_000, 1_200_000),
  )

  it('given more rows than one transaction takes, then all are entries in the order of blocks', async () => {
    const count = 1_300
    await api.sql`
      insert into task_event (id, task_id, ordinal, name, subject, status_after, args, block_number, block_timestamp,
        transaction_hash, transaction_index, log_index)
      select ${taskId} || ':' || n, ${taskId}, n, 'TaskCancelled', ${worker.address}, 'open', json_build_object('refund', n::text),
        1000 + n / 7, ${timeOf(1000)} + 2 * (n / 7), '0x' || lpad(to_hex(n), 64, '0'), 0, n % 7
      from generate_series(1, ${count}) as n`
    await log.append(2_000)
    const rows = await api.sql<
      { refund: string }[]
    >`select data->>'refund' as refund from service.events order by sequence`
    expect(rows.map(({ refund }) => Number(refund))).toEqual(Array.from({ length: count }, (_, index) => index + 1))
  })

  it('given rows of a commit that were compared, then no process compares them again before the next commit', async () => {
    await log.clear()
    await log.append(2_000)
    await log.mine(2_000, 1)
    await log.append()
    const count = async () => (await api.sql`select from service.events`).length
    expect(await count()).toBe(0)
    await log.append(2_000)
    expect(await count()).toBe(1)
  })

  it('given a reorg of more rows than a statement takes, then each is taken back and told again', async () => {
    const count = 3_100
    const insert = (firstHash: number) => api.sql`
      insert into task_event (id, task_id, ordinal, name, subject, status_after, args, block_number, block_timestamp,
        transaction_hash, transaction_index, log_index)
      select ${taskId} || ':' || n, ${taskId}, n, 'TaskCancelled', ${worker.address}, 'open', json_build_object('refund', n::text),
        1990, ${timeOf(1990)}, '0x' || lpad(to_hex(${firstHash} + n), 64, '0'), 0, n
      from generate_series(1, ${count}) as n`
    await insert(0)
    await log.append(2_000)
    await api.sql`delete from task_event`
    await insert(10_000)
    await log.append(2_000)
    const kinds = await api.sql<{ kind: string; count: number }[]>`
      select kind, count(*)::int as count from service.events group by kind order by kind`
    expect([...kinds]).toEqual([
      { kind: 'reverted', count },
      { kind: 'task.cancelled', count: 2 * count },
    ])
  })

  it('given entries older than the retention, then they go, and a place among them is 410 with where to begin', async () => {
    await log.mine(10, 1)
    await log.append(10)
    const { body: first } = await api.get('/api/events?limit=1')
    const later = 10 + Number(RETENTION_SECONDS)
    await log.mine(later, 1)
    await log.append(later)
    await log.append()
    const kept = await api.get('/api/events')
    expect(kept.body.events).toHaveLength(1)
    const place = first.next.replace(/-\d+$/, '-0')
    const { status, body } = await api.get(`/api/events?after=${place}`)
    expect([status, body.service.detail]).toEqual([410, 'events_gone'])
    expect(JSON.stringify(body)).toContain('fromBlock')
  })
})
