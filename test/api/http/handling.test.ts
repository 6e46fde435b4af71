import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { anActor } from '../../support/actors.ts'
import { aHash } from '../../support/rows/insert-row.ts'
import { aStartedApi } from '../writes/started-api.ts'

/** Interface, "Corrections after the first build": unknown query parameters and body fields. */

const strict = { Prefer: 'handling=strict' }
const aTask = { description: 'Name it', reward: '2000000', duration: 24, tags: [] }
const keyed = () => ({ 'X-Service-Idempotency-Key': randomUUID() })

const api = aStartedApi()

describe('without a preference', () => {
  test('unknown names are ignored, and the answer names them, whether it was kept or made', async () => {
    for (let time = 0; time < 2; time += 1) {
      const { status, headers } = await api.get('/api/tasks?statuz=open&limit=5&page=2')
      expect(status).toBe(200)
      expect(headers.get('x-service-ignored')).toBe('statuz, page')
    }
    const known = await api.get('/api/tasks?status=open&limit=5&tags[]=a')
    expect(known.headers.has('x-service-ignored')).toBe(false)
    expect(known.headers.has('preference-applied')).toBe(false)
  })

  test('so are unknown fields of a body at any depth, on writes and refused requests too', async () => {
    const body = { ...aTask, rewards: '1', taskDropCreate: { name: 'Drop', descripton: 'typo' } }
    const challenged = await api.post('/api/tasks?dry=1', body, keyed())
    expect(challenged.status).toBe(402)
    expect(challenged.headers.get('x-service-ignored')).toBe('dry, rewards, taskDropCreate.descripton')
    const refused = await api.post('/api/tasks', { ...body, reward: 'x' }, keyed())
    expect(refused.status).toBe(400)
    expect(refused.headers.get('x-service-ignored')).toBe('rewards, taskDropCreate.descripton')
  })

  test('at most five names, and none that a header should not print', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `unknown${index}=1`)
    const many = await api.get(`/api/tasks?${names.join('&')}`)
    expect(many.headers.get('x-service-ignored')?.split(', ')).toHaveLength(5)
    const hostile = ['a%0d%0aSet-Cookie:x=1', 'b%1b[31m', 'c%20d', `${'e'.repeat(41)}`, '%E2%80%AEf', 'fine']
    const odd = await api.get(`/api/tasks?${hostile.map((name) => `${name}=1`).join('&')}`)
    expect(odd.headers.get('x-service-ignored')).toBe('fine')
    expect(odd.headers.has('set-cookie')).toBe(false)
  })

  test('the id of the path may be repeated in the body', async () => {
    const taskId = aHash()
    const { headers } = await api.post(`/api/tasks/${taskId}/accept`, { taskId, worker: anActor().address }, keyed())
    expect(headers.has('x-service-ignored')).toBe(false)
  })
})

describe('under Prefer: handling=strict', () => {
  test.each([
    ['/api/tasks?statuz=open', 'statuz', 'did you mean status?'],
    ['/api/tasks?minrewrad=1', 'minrewrad', 'did you mean minReward?'],
    ['/api/tasks?xyzzy=1', 'xyzzy', 'is not known; known are limit, cursor, status'],
    ['/api/health?verbose=1', 'verbose', 'is not known; the request takes no such names'],
  ])('%s is refused', async (path, name, message) => {
    const { status, body, headers } = await api.get(path, strict)
    expect({ status, reason: body.service.reason }).toEqual({ status: 400, reason: 'unclassified' })
    expect(body.issues).toEqual([{ path: name, message: expect.stringContaining(message) }])
    expect(body.error).toMatch(new RegExp(`^${name}: .*[.?]$`))
    expect(headers.get('preference-applied')).toBe('handling=strict')
  })

  test('a misspelt field is named before the one that is missing for it, and no key is used up', async () => {
    const { reward, ...rest } = aTask
    const headers = keyed()
    const refused = await api.post('/api/tasks', { ...rest, rewardd: reward }, { ...headers, ...strict })
    expect(refused).toMatchObject({
      status: 400,
      body: { error: 'rewardd: did you mean reward?', service: { reason: 'payment_preflight_rejected' } },
    })
    const winners = [{ worker: anActor().address, share: 10_000, submisionId: aHash() }]
    expect(
      await api.post(`/api/tasks/${aHash()}/accept-submissions`, { winners }, { ...keyed(), ...strict }),
    ).toMatchObject({ status: 400, body: { error: 'winners.0.submisionId: did you mean winners.0.submissionId?' } })
    expect((await api.post('/api/tasks', aTask, { ...headers, ...strict })).status).toBe(402)
  })

  test('what is known passes, and the answer says that it was strict', async () => {
    const { status, headers } = await api.get('/api/tasks?status=open&tags=a&tags=b', strict)
    expect(status).toBe(200)
    expect(headers.get('preference-applied')).toBe('handling=strict')
  })

  test('procedures are as strict', async () => {
    const ask = (input: object) =>
      api.get(`/trpc/tasks.list?input=${encodeURIComponent(JSON.stringify(input))}`, strict)
    expect((await ask({ status: 'open' })).status).toBe(200)
    expect(await ask({ statuz: 'open' })).toMatchObject({
      status: 400,
      body: { error: { message: 'statuz: did you mean status?' } },
    })
    const { body } = await api.post('/trpc/tasks.accept', { taskId: aHash(), worke: '0x' }, { ...keyed(), ...strict })
    expect(body.error.message).toBe('worke: did you mean worker?')
  })

  test('a hostile name is not repeated', async () => {
    const { body } = await api.get('/api/tasks?%1b[31mred=1', strict)
    expect(body.issues[0].path).toBe('<unknown>')
    expect(JSON.stringify(body)).not.toContain('31m')
  })

  test.each(['respond-async, handling=strict', 'handling="strict"', 'Handling = Strict; x=1'])(
    'is spelt %s too',
    async (prefer) => {
      expect((await api.get('/api/tasks?statuz=open', { Prefer: prefer })).status).toBe(400)
    },
  )

  test.each(['handling=lenient', 'handling=lenient, handling=strict', 'strict', 'x-handling=strict'])(
    'is not %s',
    async (prefer) => {
      expect((await api.get('/api/tasks?statuz=open', { Prefer: prefer })).status).toBe(200)
    },
  )
})

describe('wrong input of a write', () => {
  test('is a refused payment only where one may be asked for', async () => {
    const path = `/api/tasks/${aHash()}`
    const reasonOf = async (verb: string) => (await api.post(path + verb, { taskId: 'x' }, keyed())).body.service.reason
    for (const verb of ['/accept', '/bids', '/submissions', '/claim']) {
      expect(await reasonOf(verb)).toBe('payment_preflight_rejected')
    }
    for (const verb of ['/finalize-verdict', '/bids/select-winner', '/forfeit']) {
      expect(await reasonOf(verb)).toBe('unclassified')
    }
  })
})
