import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GraphqlApi, startGraphqlApi } from './graphql-api.ts'

const requester = `0x${'aa'.repeat(20)}` as const
const other = `0x${'bb'.repeat(20)}` as const
const worker = `0x${'cc'.repeat(20)}` as const

let api: GraphqlApi
beforeAll(async () => {
  api = await startGraphqlApi()
  const { seed, sql } = api.rows
  for (let made = 0; made < 7; made += 1) await seed.task({ requester, reward: BigInt(made) * 1_000_000n })
  const task = await seed.task({ requester: other, mode: 'claim' })
  await seed.award(task.id, worker, { rating: 90 })
  await sql`insert into indexed_head (block_number, block_timestamp, checkpoint) values (1234, 1893456000, '0')`
})
afterAll(() => api.stop())

describe('lists', () => {
  test('given rows that are written again, then the request is 503, and answered once they are there', async () => {
    const { sql } = api.rows
    await sql`update indexed_head set ready = false, recovers_to = 2000`
    const { status, body, headers } = await api.ask('{ tasks { totalCount } }')
    expect([status, body.errors[0].extensions.code, headers.get('retry-after')]).toEqual([503, 'INDEX_RECOVERING', '2'])
    expect(body.errors[0].message).toBe(
      'The index is being written up to block 2000 and is at block 1234; some rows are missing now. Send the request again.',
    )
    await sql`update indexed_head set ready = true, recovers_to = null, oldest_version = 99`
    const refused = await api.ask('{ tasks { totalCount } }')
    expect([refused.status, refused.body.errors[0].message]).toEqual([
      503,
      expect.stringMatching(/newer release \(data version 99\)/),
    ])
    await sql`update indexed_head set oldest_version = 1`
    expect((await api.ask('{ tasks { totalCount } }')).status).toBe(200)
  })

  test('given a filter, its rows come with their total and columns as Ponder serves them', async () => {
    const { status, body } = await api.ask(
      `query Mine($requester: String!) {
        tasks(limit: 3, orderBy: "reward", orderDirection: "desc", where: { requester: $requester }) {
          totalCount
          items { requester reward createdAtMs listed tagHashes bidCount worker }
        }
      }`,
      { variables: { requester: requester.toUpperCase().replace('0X', '0x') } },
    )
    expect(body.errors).toBeUndefined()
    expect(status).toBe(200)
    expect(body.data.tasks.totalCount).toBe(7)
    expect(body.data.tasks.items.map(({ reward }: { reward: string }) => reward)).toEqual([
      '6000000',
      '5000000',
      '4000000',
    ])
    expect(body.data.tasks.items[0]).toEqual({
      requester,
      reward: '6000000',
      createdAtMs: expect.stringMatching(/^\d+$/),
      listed: true,
      tagHashes: [],
      bidCount: 0,
      worker: null,
    })
  })

  test('given an order, pages joined by cursors have every row once, in both directions', async () => {
    const query = `query ($after: String, $before: String) {
        tasks(limit: 3, orderBy: "reward", after: $after, before: $before) {
          items { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`
    const ids: string[] = []
    let after: string | null = null
    let last = { startCursor: '', hasPreviousPage: false }
    for (let page = 0; page < 3; page += 1) {
      const { body } = await api.ask(query, { variables: { after } })
      expect(body.errors).toBeUndefined()
      const { items, pageInfo } = body.data.tasks
      ids.push(...items.map(({ id }: { id: string }) => id))
      expect(pageInfo.hasNextPage).toBe(page < 2)
      after = pageInfo.endCursor
      last = pageInfo
    }
    expect(new Set(ids).size).toBe(8)
    expect(ids.length).toBe(8)
    const { body } = await api.ask(query, { variables: { before: last.startCursor } })
    expect(body.data.tasks.items.map(({ id }: { id: string }) => id)).toEqual(ids.slice(3, 6))
  })

  test('given keys, single rows come, and null where there is none', async () => {
    const { body: listed } = await api.ask('{ tasks(limit: 1) { items { id referenceCode } } }')
    const [task] = listed.data.tasks.items
    const { body } = await api.ask(
      `{ one: task(id: "${task.id}") { referenceCode } two: task(id: "0x00") { referenceCode } }`,
    )
    expect(body).toEqual({ data: { one: { referenceCode: task.referenceCode }, two: null } })
  })

  test('given filters of every kind, they are joined as written', async () => {
    const { body } = await api.ask(`{
      tasks(where: { OR: [
        { AND: [{ reward_gte: "5000000" }, { mode_in: [bounty, claim] }, { requester: "${requester}" }] },
        { mode: claim, requester_not: "${requester}", tagHashes_not_has: "0x01", referenceCode_starts_with: "TSK" },
        { id_in: [] }
      ] }) { totalCount }
      awards(where: { rating_gt: 80 }) { items { worker rating } }
    }`)
    expect(body).toEqual({ data: { tasks: { totalCount: 3 }, awards: { items: [{ worker, rating: 90 }] } } })
  })

  test('given _meta, the answer is the indexed head in the shape of Ponder', async () => {
    const { body } = await api.ask('{ _meta { status } }')
    const status = { base: { id: 8453, block: { number: 1234, timestamp: 1893456000 } } }
    expect(body).toEqual({ data: { _meta: { status } } })
  })
})
