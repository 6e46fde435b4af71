import fc from 'fast-check'
import { type Address, type Hex, toHex } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { connectDatabase } from '../../../api/db/client.ts'
import { type EventFilters, listEvents } from '../../../api/events/read-events.queries.ts'
import { byDepth } from '../../support/depth.ts'
import { aStartedApi } from '../writes/started-api.ts'

const ENTRIES = 60_000
const kinds = ['task.created', 'task.updated', 'award.settled', 'vault.exited', 'agent.registered']
const account = (number: number): Address => toHex(number, { size: 20 })
const task = (number: number): Hex => toHex(number, { size: 32 })

const api = aStartedApi()
beforeAll(async () => {
  // Every entry concerns one account of two; a few are of rare kinds, and the second half is of another kind than the first.
  await api.sql`
    insert into service.events (sequence, kind, block_number, block_timestamp, task_id, addresses, data)
    select n, case when n % 10000 = 7 then 'vault.exited' when n % 10000 = 9 then 'agent.registered'
        when n > ${ENTRIES / 2} then 'award.settled' when n % 2 = 0 then 'task.created' else 'task.updated' end,
      n, n, '0x' || lpad(to_hex(n % 5), 64, '0'), '{}', '{}'
    from generate_series(1, ${ENTRIES}) as n`
  await api.sql`
    insert into service.event_parties (address, sequence, is_private)
    select '0x' || lpad(to_hex(n % 2), 40, '0'), n, n % 3 = 0 from generate_series(1, ${ENTRIES}) as n`
  await api.sql`analyze service.events, service.event_parties`
})

const isPassing = (n: number, { kinds: of, taskId, address }: EventFilters, caller: Address | null) => {
  const rare = n % 10_000 === 7 ? 'vault.exited' : n % 10_000 === 9 ? 'agent.registered' : undefined
  const kind = rare ?? (n > ENTRIES / 2 ? 'award.settled' : n % 2 === 0 ? 'task.created' : 'task.updated')
  if (of !== undefined && !of.includes(kind)) return false
  if (taskId !== undefined && task(n % 5) !== taskId) return false
  return address === undefined || (account(n % 2) === address && (n % 3 !== 0 || address === caller))
}

describe('pages of a long log', () => {
  it(
    'given any filters, then the rows that match are those that pass, and a page looks at no more rows than it says',
    async () => {
      const filters = fc.record(
        {
          kinds: fc.uniqueArray(fc.constantFrom(...kinds), { minLength: 1, maxLength: 3 }),
          taskId: fc.nat(5).map(task),
          address: fc.nat(2).map(account),
        },
        { requiredKeys: [] },
      )
      const caller = fc.constantFrom(null, account(0), account(1))
      await fc.assert(
        fc.asyncProperty(filters, caller, fc.nat(ENTRIES), async (asked, as, after) => {
          const rows = await listEvents(api.sql, { after: BigInt(after), limit: 200, filters: asked, caller: as })
          expect(rows.length).toBeLessThanOrEqual(200)
          const matching = rows.filter(({ isMatch }) => isMatch !== false).map(({ sequence }) => Number(sequence))
          const end = rows.length < 200 ? ENTRIES : Number(rows.at(-1)?.sequence)
          const expected = []
          for (let n = after + 1; n <= end; n += 1) if (isPassing(n, asked, as)) expected.push(n)
          expect(matching).toEqual(expected)
        }),
        { numRuns: byDepth(10, 1000) },
      )
    },
    byDepth(60_000, 1_200_000),
  )

  it('given kinds of which there is none behind a place, then few pages of the database are read', async () => {
    const kinds = ['task.created', 'task.updated']
    for (const filters of [{ kinds }, { kinds, address: account(0) }, { kinds, taskId: task(1) }]) {
      const pages = await pagesRead(filters, ENTRIES / 2)
      expect(pages).toBeGreaterThan(0)
      expect(pages).toBeLessThan(300)
    }
  })

  it('given an account or a task of which there is none behind a place, then few pages of the database are read', async () => {
    // One entry of a hundred in the first half is of each, none in the second half.
    await api.sql`
      update service.events set task_id = '0x' || lpad(to_hex(case when sequence > ${ENTRIES / 2} then sequence else sequence % 100 end), 64, '0')`
    await api.sql`
      update service.event_parties set address =
        '0x' || lpad(to_hex(case when sequence > ${ENTRIES / 2} then 200 + sequence % 10 else sequence % 100 end), 40, '0')`
    await api.sql`vacuum analyze service.events, service.event_parties`
    for (const filters of [
      { address: account(50) },
      { taskId: task(50) },
      { taskId: task(50), address: account(50) },
    ]) {
      const pages = await pagesRead(filters, ENTRIES / 2)
      expect(pages).toBeGreaterThan(0)
      expect(pages).toBeLessThan(30)
    }
  })
})

/** Pages of 8 kB that a page of the log reads behind a place, in memory or on disk. */
async function pagesRead(filters: EventFilters, after: number): Promise<number> {
  const sql = connectDatabase({ url: api.deps.config.DATABASE_URL, max: 1 })
  try {
    const count = async () => {
      await sql`select pg_stat_force_next_flush()`
      const [row] = await sql<{ pages: bigint }[]>`
        select sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::bigint as pages
        from pg_statio_all_tables where schemaname = 'service' and relname in ('events', 'event_parties')`
      return Number(row?.pages)
    }
    await listEvents(sql, { after: BigInt(after), limit: 50, filters, caller: null })
    const before = await count()
    await listEvents(sql, { after: BigInt(after), limit: 50, filters, caller: null })
    return (await count()) - before
  } finally {
    await sql.end()
  }
}
