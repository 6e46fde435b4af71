import type { Hono } from 'hono'
import { beforeAll, describe, expect, it } from 'vitest'
import { createApp } from '../../../api/server/app.ts'
import { mountWrite } from '../../../api/server/router.ts'
import { anActor, readHeadersOf } from '../../support/actors.ts'
import { agreeToEverything, aPaidCreate } from './fake-payments.ts'
import { anOpenWrite } from './open-write.ts'
import { aStartedApi } from './started-api.ts'

const api = aStartedApi({ WRITE_ANSWER_MS: '100' })
let app: Hono
beforeAll(async () => {
  agreeToEverything(api)
  app = createApp(api.deps)
  mountWrite(app, api.deps, anOpenWrite('/poke'))
})

/** Pokes with these headers; returns the key and what was recorded. */
async function pokeWith(headers: Record<string, string>) {
  const key = crypto.randomUUID()
  const response = await app.request('/api/poke', {
    method: 'POST',
    headers: { 'X-Service-Idempotency-Key': key, ...headers },
  })
  expect(response.status).toBe(409)
  const [row] = await api.sql<{ id: string; initiator: string | null; status: string }[]>`
    select id, initiator, status from intents where idempotency_key = ${key}`
  if (row === undefined) throw new Error('nothing was recorded')
  expect(row.status).toBe('recorded')
  return { ...row, key }
}

async function readAll(intent: { id: string; key: string }, headers: Record<string, string> = {}): Promise<number[]> {
  const paths = [`/api/intents?intentId=${intent.id}`, `/api/intents?idempotencyKey=${intent.key}`]
  return await Promise.all(paths.map(async (path) => (await api.get(path, headers)).status))
}

describe('a permissionless write', () => {
  it('given no read headers, then it has no initiator and no caller may read it, not even by its key', async () => {
    const intent = await pokeWith({})
    expect(intent.initiator).toBeNull()
    expect(await readAll(intent)).toEqual([404, 404])
    expect(await readAll(intent, await readHeadersOf(anActor()))).toEqual([404, 404])
  })

  it('given valid read headers, then their address is its initiator and alone may read it', async () => {
    const [caller, other] = [anActor(), anActor()]
    const intent = await pokeWith(await readHeadersOf(caller))
    expect(intent.initiator).toBe(caller.account.address.toLowerCase())
    expect(await readAll(intent, await readHeadersOf(caller))).toEqual([200, 200])
    expect(await readAll(intent, await readHeadersOf(other))).toEqual([404, 404])
    expect(await readAll(intent)).toEqual([404, 404])
  })

  it('given headers that another wallet signed, then they are as good as none, and no error', async () => {
    const [caller, other] = [anActor(), anActor()]
    const forged = { ...(await readHeadersOf(other)), 'X-Service-Caller-Address': caller.account.address }
    expect((await pokeWith(forged)).initiator).toBeNull()
  })
})

describe('a reserved intent', () => {
  it('given its key, then any caller who has it may read it; given its id alone, then none', async () => {
    const create = aPaidCreate(api)
    expect(await create.roundOne()).toMatchObject({ status: 402 })
    const intent = { id: await create.id(), key: create.key }
    expect(await readAll(intent)).toEqual([404, 200])
    expect(await readAll(intent, await readHeadersOf(anActor()))).toEqual([404, 200])
  })
})

describe('a bound intent', () => {
  it('given its key and nothing else, then it reads like one that does not exist', async () => {
    const create = aPaidCreate(api)
    await create.roundTwo()
    const unknown = await api.get(`/api/intents?idempotencyKey=${crypto.randomUUID()}`)
    const known = await api.get(`/api/intents?idempotencyKey=${create.key}`)
    expect({ status: known.status, body: known.body }).toEqual({ status: unknown.status, body: unknown.body })
  })
})
