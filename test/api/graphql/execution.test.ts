import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { aClient, codesOf } from './graphql-api.ts'
import { countTasks, type LockableApi, startLockableApi } from './lockable-api.ts'

let api: LockableApi
beforeAll(async () => {
  api = await startLockableApi()
})
afterEach(() => api.owner.unlock())
afterAll(() => api.stop())

describe('time', () => {
  test('given a query that hangs, it is given up after two seconds, and the next request is served', async () => {
    await api.owner.lock('task')
    const start = performance.now()
    const answer = await api.ask('{ a: tasks { items { id } totalCount } b: tasks { items { id } totalCount } }')
    const milliseconds = performance.now() - start
    expect(answer.status).toBe(200)
    expect(codesOf(answer)).toEqual(['TIMEOUT'])
    expect(answer.body.data).toBeUndefined()
    expect(milliseconds).toBeGreaterThan(1_900)
    // One of its four statements has begun. It ends by itself, and the others never begin.
    await api.owner.untilStatements(0)
    await api.owner.unlock()
    const next = await api.ask(countTasks)
    expect(next.body).toEqual({ data: { tasks: { totalCount: 1 } } })
  })
})

describe('concurrency', () => {
  test('given many requests at once, two execute on a connection each, sixteen wait, the rest is refused', async () => {
    await api.owner.lock('task')
    const requests = Array.from({ length: 20 }, () => api.ask('{ a: tasks { totalCount } b: tasks { totalCount } }'))
    await api.owner.untilStatements(2)
    const refused = await Promise.race(requests)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await api.owner.countStatements()).toBe(2)
    await api.owner.unlock()
    const answers = await Promise.all(requests)
    expect(answers.filter(({ status }) => status === 200).length).toBe(18)
    expect(answers.filter(({ status }) => status === 503).flatMap(codesOf)).toEqual(['OVERLOADED', 'OVERLOADED'])
  })

  test('given many requests of one address, one executes, four wait, and another address is served meanwhile', async () => {
    await api.owner.lock('task')
    const client = aClient()
    const requests = Array.from({ length: 6 }, () => api.ask(countTasks, { client }))
    await api.owner.untilStatements(1)
    const refused = await Promise.race(requests)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect((await api.ask('{ bids { totalCount } }')).body).toEqual({ data: { bids: { totalCount: 0 } } })
    await api.owner.unlock()
    const answers = await Promise.all(requests)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429])
  })
})

describe('failures', () => {
  test('given a view that does not exist, the client gets an internal error and no detail', async () => {
    await api.owner.sql`alter table market.bid rename to gone`
    try {
      api.log.clear()
      const answer = await api.ask('{ bids(where: { worker: "0xabcd" }) { totalCount } }')
      expect(answer.status).toBe(500)
      expect(codesOf(answer)).toEqual(['INTERNAL_SERVER_ERROR'])
      expect(answer.body.data).toBeUndefined()
      expect(answer.body.errors[0].path).toEqual(['bids'])
      expect(answer.text).not.toMatch(/relation|exist|market|select|0xabcd|node_modules|\.js/)
      expect(api.log.lines('query failed')).toMatchObject([
        { code: 'INTERNAL_SERVER_ERROR', failure: { code: '42P01' } },
      ])
      expect(api.log.text()).not.toMatch(/0xabcd|select/)
    } finally {
      await api.owner.sql`alter table market.gone rename to bid`
    }
  })

  test.each([
    ['a number beyond its column', '{ tasks(where: { createdAtMs_gt: "99999999999999999999" }) { totalCount } }'],
    ['a NUL in a key', '{ task(id: "0x\\u000000") { id } }'],
  ])('given %s, the client gets 400 BAD_USER_INPUT', async (_, document) => {
    const answer = await api.ask(document)
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0].path).toHaveLength(1)
    expect(codesOf(answer)).toEqual(['BAD_USER_INPUT'])
  })

  test('given values in the shape of SQL, they are values', async () => {
    const hostile = `'; drop table task; --`
    const answer = await api.ask(
      'query ($a: String, $b: [String]) { tasks(where: { OR: [{ referenceCode: $a }, { referenceCode_in: $b }, { id_contains: $a }] }) { totalCount } }',
      { variables: { a: hostile, b: [hostile, '$1', '%', '\\'] } },
    )
    expect(answer.body).toEqual({ data: { tasks: { totalCount: 0 } } })
  })
})
