import { type Hex, hashTypedData, type Log, zeroHash } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Chain } from '../../../api/chain/chain.ts'
import { isSignedByKey } from '../../../api/chain/key-signature.ts'
import { type Actor, anActor } from '../../support/actors.ts'
import { transferLogs } from '../relayer/payments.ts'
import { aDocumentSalt, callOf, sendBound } from './bound-request.ts'
import { agreeToEverything, aPaidCreate } from './fake-payments.ts'
import { aStartedApi } from './started-api.ts'

const api = aStartedApi({ WRITE_ANSWER_MS: '100' })
beforeEach(() => {
  agreeToEverything(api)
  const checking: Partial<Chain> = {
    verifyTypedData: async ({ address, typedData, signature }) =>
      isSignedByKey(address, hashTypedData(typedData), signature),
  }
  Object.assign(api.chain, checking)
  api.deps.deployment.bound = true
})

const createBody = () => ({
  description: 'Translate a page',
  reward: '1000000',
  duration: 24,
  tags: [],
  documentSalt: aDocumentSalt(),
})
const aCreation = (payer: Actor, body = createBody()) => ({
  payer,
  path: '/api/tasks',
  body,
  call: callOf(api, 'tasks.create', { request: body, actor: payer.address }),
})
/** A creation of the same texts with another reward. */
const otherCall = (payer: Actor, body: ReturnType<typeof createBody>) =>
  callOf(api, 'tasks.create', { request: { ...body, reward: '1000001' }, actor: payer.address })

const findRow = async (key: string) =>
  (
    await api.sql<Record<string, unknown>[]>`
      select status, relay_mode, payment_salt, payment_nonce, calldata, escrow_amount
      from intents where idempotency_key = ${key}`
  )[0]
const outcomeOf = ({ status, body }: { status: number; body: { service?: { reason?: string; detail?: string } } }) => [
  status,
  body.service?.reason,
  body.service?.detail,
]
const REJECTED = 'payment_preflight_rejected'

describe('a payment for the call of its request', () => {
  it('given a creation, then its intent is bound with the call, the salt and the nonce that were signed', async () => {
    const payer = anActor()
    const creation = aCreation(payer)
    const { status, body, key, salt, nonce } = await sendBound(api, creation)
    expect([status, body.service.reason]).toEqual([409, 'intent_in_flight'])
    expect(await findRow(key)).toEqual({
      status: 'recorded',
      relayMode: 'bound',
      paymentSalt: salt,
      paymentNonce: nonce,
      calldata: creation.call.data,
      escrowAmount: 1_000_000n,
    })
    expect((await api.get(`/api/wallet/consent?address=${payer.address}`)).body.required).toBe(true)
  })

  it('given an acceptance, then the deliverable of the submission is a fact of its call', async () => {
    const [requester, worker] = [anActor(), anActor()]
    const task = await api.seed.task({ requester: requester.address })
    const { deliverable } = await api.seed.submission(task.id, worker.address)
    const request = { taskId: task.id, worker: worker.address }
    const call = (facts: Record<string, unknown>) =>
      callOf(api, 'tasks.accept', { request, actor: requester.address, facts: { reward: task.reward, ...facts } })
    const acceptance = {
      payer: requester,
      path: `/api/tasks/${task.id}/accept`,
      body: { worker: worker.address },
    }
    const changed = await sendBound(api, {
      ...acceptance,
      call: call({ deliverables: [`0x${'0e'.repeat(32)}`] }),
    })
    expect(outcomeOf(changed)).toEqual([409, REJECTED, 'facts_changed'])
    expect(changed.body.service).toMatchObject({
      facts: { reward: String(task.reward), deliverables: [deliverable] },
      escrowAmount: '0',
    })
    const { status, body } = await sendBound(api, {
      ...acceptance,
      key: changed.key,
      call: call({ deliverables: [deliverable] }),
    })
    expect([status, body.service.reason]).toEqual([409, 'intent_in_flight'])
  })

  it('given another call, then it is refused with the facts, and nothing is stored', async () => {
    const payer = anActor()
    const body = createBody()
    const answer = await sendBound(api, { ...aCreation(payer, body), call: otherCall(payer, body) })
    expect(outcomeOf(answer)).toEqual([409, REJECTED, 'facts_changed'])
    expect(answer.body.service).toMatchObject({ facts: {}, escrowAmount: '1000000' })
    expect(await findRow(answer.key)).toMatchObject({ status: 'reserved', paymentNonce: null })
  })

  it('given the escrow of another call, then it is refused', async () => {
    const creation = aCreation(anActor())
    const call = { ...creation.call, escrowAmount: 999_000n }
    expect(outcomeOf(await sendBound(api, { ...creation, call }))).toEqual([409, REJECTED, 'facts_changed'])
  })

  it('given an account that may not act, then its role is refused before anything is said about facts', async () => {
    const task = await api.seed.task({ requester: anActor().address })
    const stranger = anActor()
    const call = callOf(api, 'tasks.cancel', { request: { taskId: task.id }, actor: stranger.address })
    const cancellation = { payer: stranger, path: `/api/tasks/${task.id}/cancel`, body: {} }
    const { status, body } = await sendBound(api, { ...cancellation, call: { ...call, data: '0x12345678' } })
    expect([status, body.service.detail]).toEqual([403, 'not_requester'])
    expect(body.service.facts).toBeUndefined()
  })
})

describe('the salt', () => {
  it('given the salt of another request, then the consent is missing', async () => {
    const other: Hex = `0x${'12'.repeat(32)}`
    const answer = await sendBound(api, { ...aCreation(anActor()), salt: () => other })
    expect(outcomeOf(answer)).toEqual([403, REJECTED, 'consent_required'])
    expect(answer.body.error).toMatch(/Its salt must be keccak256 of "service:pay:\d+:/)
  })

  it('given a request that leaves a choice to the service, then it names the missing fields', async () => {
    const payer = anActor()
    const { documentSalt: _, ...body } = createBody()
    const { call } = aCreation(payer)
    const answer = await sendBound(api, { payer, path: '/api/tasks', body, call })
    expect(outcomeOf(answer)).toEqual([400, REJECTED, 'bound_field_missing'])
    expect(answer.body.issues).toEqual([{ path: 'documentSalt', message: expect.stringContaining('bound payment') }])
  })

  it('given an auction without a least price, then it names the field', async () => {
    const worker = anActor()
    const { id } = await api.seed.task({
      mode: 'auction',
      auctionType: 'dutch',
      requester: anActor().address,
      clockPrice: 1_000n,
    })
    const call = callOf(api, 'bids.accept', { request: { taskId: id, minPrice: '1000' }, actor: worker.address })
    const answer = await sendBound(api, { payer: worker, path: `/api/tasks/${id}/bids/accept`, body: {}, call })
    expect(outcomeOf(answer)).toEqual([400, REJECTED, 'bound_field_missing'])
    expect(answer.body.issues).toMatchObject([{ path: 'minPrice' }])
  })
})

describe('the form of the authorization', () => {
  it('given a transfer that any account may submit, then it is no bound payment', async () => {
    const answer = await sendBound(api, { ...aCreation(anActor()), form: 'TransferWithAuthorization' })
    expect(outcomeOf(answer)).toEqual([402, 'payment_rejected', 'signature_invalid'])
  })

  it('given a deployment from before bound payments, then it takes plain ones alone and announces no others', async () => {
    delete api.deps.deployment.bound
    const answer = await sendBound(api, aCreation(anActor()))
    expect(outcomeOf(answer)).toEqual([402, 'payment_rejected', 'no_bound_calls'])
    expect(answer.body.error).toMatch(/takes no bound payments/)
    expect(answer.body.extensions).not.toHaveProperty('bound-call')
  })

  it('given a deployment with bound payments, then plain ones are taken as before, and the challenge announces both', async () => {
    agreeToEverything(api)
    const create = aPaidCreate(api)
    const { body } = await create.roundOne()
    expect(Object.keys(body.accepts[0])).toHaveLength(7)
    expect(body.extensions).toHaveProperty('bound-call')
    expect(JSON.stringify({ 'bound-call': body.extensions['bound-call'] }).length).toBeLessThanOrEqual(100)
    expect((await create.roundTwo()).body.service.reason).toBe('intent_in_flight')
    expect(await findRow(create.key)).toMatchObject({ relayMode: 'paid', paymentSalt: null })
  })

  it('given a wallet that takes bound calls alone, then its plain payment is refused', async () => {
    agreeToEverything(api)
    api.chain.simulate = async () => ({
      outcome: 'reverted',
      revert: { errorName: 'PayerTakesBoundOnly', message: 'it takes bound calls alone', data: null },
    })
    expect(outcomeOf(await aPaidCreate(api).roundTwo())).toEqual([403, REJECTED, 'bound_only'])
  })
})

describe('a bound payment that is presented again', () => {
  it('given its intent, then the payer reads it by the payment, and it funds nothing else', async () => {
    const payer = anActor()
    const body = createBody()
    const first = await sendBound(api, aCreation(payer, body))
    const proof = { 'PAYMENT-SIGNATURE': first.header }
    expect((await api.get(`/api/intents?idempotencyKey=${first.key}`, proof)).body.status).toBe('recorded')
    const again = await api.post('/api/tasks', body, { ...proof, 'X-Service-Idempotency-Key': crypto.randomUUID() })
    expect(outcomeOf(again)).toEqual([409, 'payment_already_spent', 'payment_used'])
  })

  it('given it without its salt, then the record is not shown for it, and it funds nothing', async () => {
    const payer = anActor()
    const body = createBody()
    const { header, key } = await sendBound(api, aCreation(payer, body))
    const { payload, ...rest } = JSON.parse(Buffer.from(header, 'base64').toString())
    const { bound: _, ...plain } = payload
    const stripped = Buffer.from(JSON.stringify({ ...rest, payload: plain })).toString('base64')
    const proof = { 'PAYMENT-SIGNATURE': stripped }
    expect((await api.get(`/api/intents?idempotencyKey=${key}`, proof)).status).toBe(404)
    const again = await api.post('/api/tasks', body, { ...proof, 'X-Service-Idempotency-Key': crypto.randomUUID() })
    expect(outcomeOf(again)).toEqual([409, 'payment_already_spent', 'payment_used'])
  })

  it('given it with another body under its key, then the key names the first, and nothing is bound', async () => {
    const payer = anActor()
    const body = createBody()
    const { header, key } = await sendBound(api, { ...aCreation(payer, body), salt: (salt) => `0x${salt.slice(4)}00` })
    const other = { ...body, description: 'Another page' }
    const headers = { 'PAYMENT-SIGNATURE': header, 'X-Service-Idempotency-Key': key }
    expect((await api.post('/api/tasks', other, headers)).body.service.reason).toBe('idempotency_key_payload_mismatch')
    const fresh = { ...headers, 'X-Service-Idempotency-Key': crypto.randomUUID() }
    expect(outcomeOf(await api.post('/api/tasks', other, fresh))).toEqual([403, REJECTED, 'consent_required'])
  })

  it('given a nonce that was used for another authorization, whose money arrived, then it is refused, and nothing is recorded to be returned', async () => {
    const { forwarder } = api.deps.deployment
    let logs: readonly Log<bigint, number, false>[] = []
    const arrived: Partial<Chain> = {
      readContract: async ({ functionName }) => (functionName === 'authorizationState') as never,
      getLogs: async ({ event: { name }, args }) => {
        if (name !== 'AuthorizationUsed') return []
        const [from] = Object.values(args) as [Hex]
        logs = transferLogs(api, { from, nonce: args.nonce, to: forwarder, value: 1_000_000n })
        return logs.slice(0, 1)
      },
      getTransactionReceipt: async (hash) => {
        const place = { blockNumber: 9n, blockHash: zeroHash }
        return { hash, ...place, succeeded: true, gasWei: 1n, logs }
      },
    }
    Object.assign(api.chain, arrived)
    const { nonce, ...answer } = await sendBound(api, aCreation(anActor()))
    expect(outcomeOf(answer)).toEqual([402, 'payment_rejected', 'authorization_used'])
    expect(await api.sql`select from intents where payment_nonce = ${nonce}`).toHaveLength(0)
  })

  it('given that a relayer has relayed its call already, then the write is recorded without a simulation', async () => {
    api.chain.readContract = async ({ functionName }) => ['authorizationState', 'spent'].includes(functionName) as never
    api.chain.simulate = () => Promise.reject(new Error('nothing is simulated'))
    const creation = aCreation(anActor())
    const { key, status, body } = await sendBound(api, creation)
    expect([status, body.service.reason]).toEqual([409, 'intent_in_flight'])
    expect(await findRow(key)).toMatchObject({ status: 'recorded', calldata: creation.call.data })
    const other = { ...creation, body: createBody() }
    expect(outcomeOf(await sendBound(api, other))).toEqual([409, REJECTED, 'facts_changed'])
  })
})
