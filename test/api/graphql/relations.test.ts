import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { codesOf, type GraphqlApi, startGraphqlApi } from './graphql-api.ts'

const requester = `0x${'aa'.repeat(20)}` as const
const workers = ['b1', 'b2', 'b3'].map((byte) => `0x${byte.repeat(20)}` as const)

let api: GraphqlApi
beforeAll(async () => {
  api = await startGraphqlApi()
  const { seed } = api.rows
  for (const [index, mode] of (['bounty', 'claim', 'claim'] as const).entries()) {
    const task = await seed.task({ requester, mode, reward: BigInt(index + 1) * 1_000_000n })
    for (const worker of workers.slice(index)) await seed.award(task.id, worker, { rating: 90 })
  }
})
afterAll(() => api.stop())

const byReward = 'orderBy: "reward"'

describe('relations', () => {
  test('given lists of rows, then each row has its own page of them, in their order', async () => {
    const { body } = await api.ask(`{ tasks(${byReward}) { items {
      awards(limit: 2, orderBy: "worker", orderDirection: "desc") {
        totalCount items { worker } pageInfo { hasNextPage endCursor }
      } } } }`)
    expect(body.errors).toBeUndefined()
    const pages = body.data.tasks.items.map(({ awards }: { awards: object }) => awards)
    expect(pages).toMatchObject([
      { totalCount: 3, items: [{ worker: workers[2] }, { worker: workers[1] }], pageInfo: { hasNextPage: true } },
      { totalCount: 2, items: [{ worker: workers[2] }, { worker: workers[1] }], pageInfo: { hasNextPage: false } },
      { totalCount: 1, items: [{ worker: workers[2] }], pageInfo: { hasNextPage: false } },
    ])
    const next = await api.ask(
      `query ($after: String) { tasks(${byReward}, limit: 1) { items {
        awards(orderBy: "worker", orderDirection: "desc", after: $after) { items { worker } } } } }`,
      { variables: { after: pages[0].pageInfo.endCursor } },
    )
    expect(next.body.data.tasks.items).toEqual([{ awards: { items: [{ worker: workers[0] }] } }])
  })

  test('given a filter, then it holds for the rows of the relation and their total', async () => {
    const { body } = await api.ask(
      `{ tasks(${byReward}) { items { awards(where: { worker: "${workers[0]?.toUpperCase().replace('0X', '0x')}" }) { totalCount items { rating } } } } }`,
    )
    expect(body.data.tasks.items).toEqual([
      { awards: { totalCount: 1, items: [{ rating: 90 }] } },
      { awards: { totalCount: 0, items: [] } },
      { awards: { totalCount: 0, items: [] } },
    ])
  })

  test('given a row that names another, then it comes with it, and null where there is none', async () => {
    const { body } = await api.ask(`{ awards(orderBy: "worker", limit: 2) { items {
      task { reward requester evaluation { verdict } requesterAgent { address } evaluatorAgent { address } } } } }`)
    expect(body.errors).toBeUndefined()
    const [{ task }] = body.data.awards.items
    expect(task).toEqual({ reward: '1000000', requester, evaluation: null, requesterAgent: null, evaluatorAgent: null })
  })

  test('given rows of rows, then a relation is one statement for all rows of a list', async () => {
    const send = pg.Client.prototype.query
    const texts: unknown[] = []
    vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...values: unknown[]) {
      texts.push(values[0])
      return Reflect.apply(send, this, values)
    } as typeof send)
    const { body } = await api.ask('{ tasks { items { awards { items { task { id } } } } } }')
    vi.restoreAllMocks()
    expect(body.errors).toBeUndefined()
    expect(texts.filter((text) => String(text).startsWith('select'))).toHaveLength(3)
  })
})

describe('groups', () => {
  test('given columns, then rows are counted and summed by their values, the largest group first', async () => {
    const { body } = await api.ask(`{
      taskGroups(by: [mode]) { key { mode status } count sum { reward bidCount } }
      awardGroups(by: [worker], where: { rating_gt: 80 }, limit: 1, offset: 1) { key { worker } count }
      all: taskGroups(by: []) { count sum { reward } }
      none: bidGroups(by: []) { count sum { price } }
    }`)
    expect(body).toEqual({
      data: {
        taskGroups: [
          { key: { mode: 'claim', status: null }, count: 2, sum: { reward: '5000000', bidCount: '0' } },
          { key: { mode: 'bounty', status: null }, count: 1, sum: { reward: '1000000', bidCount: '0' } },
        ],
        awardGroups: [{ key: { worker: workers[1] }, count: 2 }],
        all: [{ count: 3, sum: { reward: '6000000' } }],
        none: [{ count: 0, sum: { price: null } }],
      },
    })
  })
})

describe('arguments', () => {
  const list = (values: string) => `{ tasks(${values}) { totalCount items { id } } }`
  const conditions = (count: number) => `[${'{ bidCount: 1 } '.repeat(count)}]`
  test.each([
    ['51 conditions', `where: { AND: ${conditions(25)} OR: ${conditions(25)} }`, 'LIMIT_EXCEEDED', '50 conditions'],
    ['101 values', `where: { id_in: [${'"0x01" '.repeat(101)}] }`, 'LIMIT_EXCEEDED', 'id_in .* 100 values'],
    ['a text of 201 characters', `where: { id: "${'x'.repeat(201)}" }`, 'LIMIT_EXCEEDED', '200 characters'],
    ['null instead of a filter', 'where: null', 'BAD_USER_INPUT', 'left out'],
    ['null in a group', 'where: { OR: [null] }', 'BAD_USER_INPUT', 'left out'],
    ['null instead of a group', 'where: { OR: null }', 'BAD_USER_INPUT', 'list of filters'],
    ['null among values', 'where: { id_in: [null] }', 'BAD_USER_INPUT', 'no null'],
    ['null that is compared', 'where: { reward_gt: null }', 'BAD_USER_INPUT', 'no null'],
    ['the order of no column', 'orderBy: "constructor"', 'BAD_USER_INPUT', 'orderBy takes one of: id, '],
    ['the order of a list', 'orderBy: "tagHashes"', 'BAD_USER_INPUT', 'orderBy takes'],
    ['another direction', 'orderDirection: "up"', 'BAD_USER_INPUT', '"asc" or "desc"'],
    ['two cursors', 'after: "x", before: "x"', 'BAD_USER_INPUT', 'Only one'],
    ['a cursor and an offset', 'after: "x", offset: 1', 'BAD_USER_INPUT', 'offset cannot'],
    ['a text that is no cursor', 'after: "%%%"', 'BAD_USER_INPUT', 'endCursor'],
    [
      'a cursor of another order',
      `orderBy: "reward", after: "${cursor(['id', '0x01'])}"`,
      'BAD_USER_INPUT',
      'same orderBy',
    ],
    ['a cursor with a list', `after: "${cursor(['id', ['0x01']])}"`, 'BAD_USER_INPUT', 'endCursor'],
    ['a cursor without its key', `after: "${cursor(['id'])}"`, 'BAD_USER_INPUT', 'endCursor'],
    [
      'a cursor with another type',
      `orderBy: "reward", after: "${cursor(['reward,id', 'x', '0x01'])}"`,
      'BAD_USER_INPUT',
      'fit',
    ],
  ])('given %s, the request is refused', async (_, values, code, words) => {
    const answer = await api.ask(list(values))
    expect([answer.status, codesOf(answer)]).toEqual([400, [code]])
    expect(answer.body.errors[0]).toMatchObject({ message: expect.stringMatching(words), path: ['tasks'] })
  })

  test('given conditions that are no value, then they hold or not', async () => {
    const { body } = await api.ask(`{
      a: tasks(where: { worker: null, requester_not: null }) { totalCount }
      b: tasks(where: { id_in: [] }) { totalCount }
      c: tasks(where: { tagHashes: [], AND: [] }) { totalCount }
      d: tasks(where: { OR: [] }) { totalCount }
      e: tasks(where: { mode_not_in: [claim, auction] }) { totalCount }
    }`)
    expect(Object.values(body.data).map((page) => (page as { totalCount: number }).totalCount)).toEqual([3, 0, 3, 3, 1])
  })
})

function cursor(content: unknown): string {
  return Buffer.from(JSON.stringify(content)).toString('base64url')
}
