import { expect, it, vi } from 'vitest'
import type { Database } from '../../../api/db/client.ts'
import type { Binding } from '../../../api/intents/intents.queries.ts'
import { bindReservation, findBoundIntent } from '../../../api/intents/intents.queries.ts'
import { createApp } from '../../../api/server/app.ts'
import { mountWrite } from '../../../api/server/router.ts'
import { bind } from '../../../api/writes/stages/bind.ts'
import { anActor } from '../../support/actors.ts'
import { bindIntent, reserveBinding } from '../../support/bound-intent.ts'
import { aPayment } from '../relayer/payments.ts'
import { agreeToEverything } from './fake-payments.ts'
import { lost, withoutAnswer } from './lost-commit.ts'
import { anOpenWrite } from './open-write.ts'
import { aStartedApi } from './started-api.ts'

const api = aStartedApi()

function bindOn(sql: Database, { key, binding }: { key: string; binding: Binding }) {
  const reached: string[] = []
  const deps = { ...api.deps, sql, reach: (point: string) => reached.push(point) } as never
  const request = { key, binding, content: {} as never, direct: null, guard: async () => null, confirm: async () => {} }
  return { reached, bound: bind(deps, request) }
}

const bindOther = (binding: Binding, change: Partial<Binding>) => async () =>
  await bindReservation(api.sql, { ...binding, ...change } as Binding)

it('given the answer of a COMMIT is lost, then the row says whether the write is bound', async () => {
  const committed = await reserveBinding(api)
  const { bound, reached } = bindOn(withoutAnswer(api.sql), committed)
  await bound
  expect(reached).toEqual(['before-bind-commit', 'after-bind'])

  const undone = await reserveBinding(api)
  await expect(
    bindOn(
      withoutAnswer(api.sql, async () => {}),
      undone,
    ).bound,
  ).rejects.toMatchObject({
    status: 503,
    reason: 'idempotency_check_unavailable',
    options: { detail: 'key_in_use' },
  })

  for (const change of [{ calldata: '0x87654321' }, { initiator: anActor().address }] as const) {
    const raced = await reserveBinding(api)
    await expect(bindOn(withoutAnswer(api.sql, bindOther(raced.binding, change)), raced).bound).rejects.toMatchObject({
      status: 409,
      reason: 'idempotency_key_reused',
    })
  }
})

it('given the reservation has ended meanwhile, then 503 with the same key, and nothing is bound', async () => {
  const ended = await reserveBinding(api)
  await api.sql`delete from intents where id = ${ended.binding.id}`
  const { bound, reached } = bindOn(api.sql, ended)
  await expect(bound).rejects.toMatchObject({ status: 503, reason: 'idempotency_check_unavailable' })
  expect(reached).toEqual([])
})

it('given the gas account cannot pay for the call, then 503 names the direct call, and nothing is bound', async () => {
  const account = { name: 'foreign 2026-01-31', quotaWei: 10n, lifetimeSeconds: null }
  const bindingOf = (wei: bigint) =>
    reserveBinding(api, { terms: { relayClass: 'foreign', gasLimit: 100_000n, gas: { account, wei } } })
  const tooDear = await bindingOf(11n)
  await expect(bindOn(api.sql, tooDear).bound).rejects.toMatchObject({
    status: 503,
    message: expect.stringContaining(`directly to ${tooDear.binding.target}`),
    options: { detail: 'gas_budget', headers: { 'Retry-After': expect.any(String) } },
  })
  expect(await findBoundIntent(api.sql, tooDear.binding.id)).toBeNull()
  await bindOn(api.sql, await bindingOf(10n)).bound
})

it('given the row cannot be read either, then nothing is known, and the intent is named', async () => {
  const reserved = await reserveBinding(api)
  const sql = new Proxy(
    withoutAnswer(api.sql, async () => {}),
    { apply: () => Promise.reject(lost()) },
  )
  await expect(bindOn(sql, reserved).bound).rejects.toMatchObject({
    status: 409,
    reason: 'intent_in_flight',
    message: expect.stringContaining('look it up at /intents'),
    options: { intent: { intentId: reserved.binding.id } },
  })
})

it('given that, then what was stored for the write is kept: it may be recorded', async () => {
  agreeToEverything(api)
  let isGone = false
  const committing = withoutAnswer(api.sql, async (transaction) => {
    await transaction()
    isGone = true
  })
  const sql = new Proxy(committing, {
    apply: (asked, self, statement) => (isGone ? Promise.reject(lost()) : Reflect.apply(asked, self, statement)),
  })
  const discard = vi.fn()
  const prepare = async () =>
    ({ target: api.deps.deployment.market, data: '0x12345678', content: {}, discard }) as const
  const app = createApp(api.deps)
  mountWrite(app, { ...api.deps, sql }, anOpenWrite('/keep', { prepare }))
  const key = crypto.randomUUID()
  const answer = await app.request('/api/keep', { method: 'POST', headers: { 'X-Service-Idempotency-Key': key } })
  expect(await answer.json()).toMatchObject({ service: { reason: 'intent_in_flight', detail: 'write_undecided' } })
  const [row] = await api.sql`select status from intents where idempotency_key = ${key}`
  expect(row).toEqual({ status: 'recorded' })
  expect(discard).not.toHaveBeenCalled()
})

it('given a payment funds another write, then that one is named, without its key', async () => {
  const relay = { mode: 'paid', payment: aPayment() } as const
  const funded = await bindIntent(api, { relay })
  const refusal = await bindOn(api.sql, await reserveBinding(api, { relay })).bound.catch((error) => error)
  expect(refusal).toMatchObject({
    status: 409,
    reason: 'payment_already_spent',
    options: { intent: { intentId: funded.id } },
  })
  expect(refusal.message).toContain(funded.id)
  expect(refusal.options.intent).not.toHaveProperty('idempotencyKey')
})

it('given an error of another kind, then it is thrown as it is', async () => {
  const failing = await reserveBinding(api)
  const sql = withoutAnswer(api.sql, () => Promise.reject(new Error('a defect')))
  await expect(bindOn(sql, failing).bound).rejects.toThrow('a defect')
})
