import { type Hex, hashMessage, keccak256, serializeErc6492Signature, toHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { type Actor, anActor, readHeadersOf } from '../../support/actors.ts'
import type { Answer } from '../../support/api.ts'
import { aConsentSwitch } from '../../support/consent-switch.ts'
import type { Payment, Requirement } from '../../support/payment.ts'
import { boundNonce, type NamedRequest, paymentProof } from '../../support/payment-text.ts'
import { START } from '../../support/rows/insert-row.ts'
import { agreeToEverything } from './fake-payments.ts'
import { aStartedApi } from './started-api.ts'

/** Switches of a client in an hour: more than the other tests send. */
const CONSENTS = 16

const api = aStartedApi({ WRITE_ANSWER_MS: '100', CONSENTS_PER_HOUR: String(CONSENTS) }, agreeToEverything)

const createBody = { description: 'Translate a page', reward: '1000000', duration: 24, tags: [] }

interface Send {
  payer: Actor
  path?: string
  /** The bytes that are sent; null: none. */
  body?: string | null
  /** As the header spells it. */
  key?: string
  /** What the nonce names; absent: nothing. */
  bound?: (sent: NamedRequest, requirement: Requirement) => Hex
  /** More headers, made of what is sent. */
  headers?: (sent: NamedRequest, payment: Pick<Payment, 'authorization'>) => Promise<Record<string, string>>
}

/** Both rounds of a write, with a signature that this chain takes for the payer's. */
async function send({
  payer,
  path = '/api/tasks',
  body = JSON.stringify(createBody),
  key = crypto.randomUUID(),
  ...how
}: Send) {
  const common = { 'X-Service-Idempotency-Key': key, 'Content-Type': 'application/json' }
  const request = async (headers: Record<string, string>): Promise<Answer> => {
    const init = { method: 'POST', headers: { ...common, ...headers }, ...(body !== null && { body }) }
    const response = await api.app.request(path, init)
    return { status: response.status, headers: response.headers, body: await response.json() }
  }
  const { body: asked } = await request({})
  const challenge = path.startsWith('/trpc') ? (asked[0] ?? asked).error.data.paymentRequired : asked
  const requirement: Requirement = challenge.accepts[0]
  const sent = { path: path.split('?')[0] ?? path, key, body: body ?? '' }
  const nonce: Hex = how.bound?.(sent, requirement) ?? `0x${crypto.randomUUID().replaceAll('-', '').repeat(2)}`
  const authorization = {
    from: payer.account.address,
    to: requirement.payTo,
    value: requirement.amount,
    validAfter: '0',
    nonce,
    validBefore: String(START + 300n),
  }
  const payload = {
    x402Version: 2,
    accepted: requirement,
    payload: { signature: `0x${'ab'.repeat(65)}`, authorization },
  }
  const header = Buffer.from(JSON.stringify(payload)).toString('base64')
  return await request({ 'PAYMENT-SIGNATURE': header, ...(await how.headers?.(sent, { authorization })) })
}

/** A write that was bound waits for a chain that mines nothing. */
const BOUND = { status: 409, reason: 'intent_in_flight' }
const REFUSED = { status: 403, reason: 'payment_preflight_rejected' }
const toOutcome = ({ status, body }: Answer) => {
  const [first = body] = Array.isArray(body) ? body : []
  return { status, reason: (first.service ?? first.error.data.service).reason }
}

const isOn = async ({ address }: Actor) => (await api.get(`/api/wallet/consent?address=${address}`)).body.required
const named = (sent: NamedRequest, requirement: Requirement) => boundNonce(requirement, sent)

/** A wallet with consent on. */
async function aStrictWallet(): Promise<Actor> {
  const wallet = anActor()
  await api.sql`
    insert into service.wallet_consents (wallet, is_required, switched_at) values (${wallet.address}, true, 1)`
  return wallet
}

describe('a nonce that names the request', () => {
  it('given exactly what is sent, then it is taken, and without it nothing is', async () => {
    const payer = await aStrictWallet()
    expect(toOutcome(await send({ payer }))).toEqual(REFUSED)
    expect(toOutcome(await send({ payer, bound: named }))).toEqual(BOUND)
  })

  it.each<[string, (sent: NamedRequest, requirement: Requirement) => Hex]>([
    ['method', (sent, requirement) => named({ ...sent, method: 'PUT' }, requirement)],
    ['path', (sent, requirement) => named({ ...sent, path: '/api/task' }, requirement)],
    ['key', (sent, requirement) => named({ ...sent, key: crypto.randomUUID() }, requirement)],
    ['body', (sent, requirement) => named({ ...sent, body: `${sent.body} ` }, requirement)],
    ['chain', (sent, requirement) => named(sent, { ...requirement, network: 'eip155:1' })],
    ['forwarder', (sent, requirement) => named(sent, { ...requirement, payTo: `0x${'ab'.repeat(20)}` })],
  ])('given another %s, then it names nothing here', async (_what, bound) => {
    expect(toOutcome(await send({ payer: await aStrictWallet(), bound }))).toEqual(REFUSED)
  })

  it('given a key in upper case, then the text may have it as it is sent or in lower case', async () => {
    for (const spell of [(key: string) => key, (key: string) => key.toLowerCase()]) {
      const key = crypto.randomUUID().toUpperCase()
      const bound = (sent: NamedRequest, requirement: Requirement) => named({ ...sent, key: spell(key) }, requirement)
      expect(toOutcome(await send({ payer: await aStrictWallet(), key, bound }))).toEqual(BOUND)
    }
  })

  it('given a write without a body, then it names the bytes that are sent all the same', async () => {
    for (const body of [null, '', '{}', '{"taskId":']) {
      const payer = await aStrictWallet()
      const { id } = await api.seed.task({ requester: payer.address })
      expect(toOutcome(await send({ payer, path: `/api/tasks/${id}/cancel`, body, bound: named })), `${body}`).toEqual(
        BOUND,
      )
    }
  })

  it('given a large body, then it names all of its bytes', async () => {
    const payer = await aStrictWallet()
    const task = await api.seed.task({ requester: anActor().address })
    for (let count = 0; count < 5; count += 1) await api.seed.submission(task.id, payer.address)
    const signature = await payer.account.signMessage({ message: `service:submit:${task.id}` })
    const file = Buffer.alloc(150_000, 'work').toString('base64')
    const artifacts = [{ fileName: 'work.txt', mimeType: 'text/plain', file }]
    const body = JSON.stringify({ workerAddress: payer.address, artifacts, signature })
    const path = `/api/tasks/${task.id}/submissions`
    const other = (sent: NamedRequest, requirement: Requirement) =>
      named({ ...sent, body: sent.body?.replace('work.txt', 'werk.txt') ?? '' }, requirement)
    expect(toOutcome(await send({ payer, path, body, bound: other }))).toEqual(REFUSED)
    expect(toOutcome(await send({ payer, path, body, bound: named }))).toEqual(BOUND)
  })

  it('given a procedure, then it names the path of the procedure and its input', async () => {
    const payer = await aStrictWallet()
    const rest = (sent: NamedRequest, requirement: Requirement) => named({ ...sent, path: '/api/tasks' }, requirement)
    const path = '/trpc/tasks.create'
    expect(toOutcome(await send({ payer, path }))).toEqual(REFUSED)
    expect(toOutcome(await send({ payer, path, bound: rest }))).toEqual(REFUSED)
    expect(toOutcome(await send({ payer, path, bound: named }))).toEqual(BOUND)
    const batch = { path: `${path}?batch=1`, body: JSON.stringify({ 0: createBody }) }
    expect(toOutcome(await send({ payer, ...batch, bound: named }))).toEqual(BOUND)
  })
})

describe('the payment-proof header', () => {
  const proof = (signer: Actor) => (sent: NamedRequest, payment: Pick<Payment, 'authorization'>) =>
    paymentProof(signer.account, payment, sent)

  it('given the signature of the payer over request and nonce, then any nonce is taken', async () => {
    const payer = await aStrictWallet()
    expect(toOutcome(await send({ payer, headers: proof(payer) }))).toEqual(BOUND)
  })

  it.each<[string, (payer: Actor) => NonNullable<Send['headers']>]>([
    ['another wallet’s', () => proof(anActor())],
    [
      'of another request',
      (payer) => async (sent, payment) => paymentProof(payer.account, payment, { ...sent, path: '/' }),
    ],
    [
      'of another payment',
      (payer) =>
        async (sent, { authorization }) =>
          paymentProof(payer.account, { authorization: { ...authorization, nonce: `0x${'12'.repeat(32)}` } }, sent),
    ],
    [
      'the read identity',
      (payer) => async () => ({
        'X-Service-Payment-Proof': (await readHeadersOf(payer))['X-Service-Caller-Signature'] ?? '',
      }),
    ],
    ['no signature', () => async () => ({ 'X-Service-Payment-Proof': 'yes' })],
    ['longer than any signature', () => async () => ({ 'X-Service-Payment-Proof': `0x${'ab'.repeat(2000)}` })],
    ['empty', () => async () => ({ 'X-Service-Payment-Proof': '' })],
  ])('given one that is %s, then 403 whether consent is on or not, and nothing is bound', async (_what, headersOf) => {
    for (const payer of [anActor(), await aStrictWallet()]) {
      const answer = await send({ payer, headers: headersOf(payer) })
      expect(toOutcome(answer)).toEqual(REFUSED)
      const { idempotencyKey } = answer.body.service
      const rows = await api.sql`select status from intents where idempotency_key = ${idempotencyKey}`
      expect(rows).toEqual([{ status: 'reserved' }])
    }
  })

  it('given one of a smart wallet that is not deployed, then 403 says so', async () => {
    const signature = serializeErc6492Signature({ address: `0x${'fa'.repeat(20)}`, data: '0xde', signature: '0xab' })
    const answer = await send({ payer: anActor(), headers: async () => ({ 'X-Service-Payment-Proof': signature }) })
    expect([toOutcome(answer), answer.body.service.detail]).toEqual([REFUSED, 'wallet_not_deployed'])
  })

  it('given a wrong one beside a nonce that names the request, then 403', async () => {
    const payer = await aStrictWallet()
    expect(toOutcome(await send({ payer, bound: named, headers: proof(anActor()) }))).toEqual(REFUSED)
  })
})

describe('what a payment switches on', () => {
  it('given none that names its request, then nothing', async () => {
    const payer = anActor()
    expect(toOutcome(await send({ payer }))).toEqual(BOUND)
    expect(await isOn(payer)).toBe(false)
  })

  it('given the first that does, then consent, in the transaction that binds its write', async () => {
    const payer = anActor()
    const key = crypto.randomUUID()
    expect(toOutcome(await send({ payer, key, bound: named }))).toEqual(BOUND)
    const rows = await api.sql`
      select i.idempotency_key, c.is_required, c.switched_at from service.wallet_consents c join intents i on i.id = c.intent_id
      where c.wallet = ${payer.address}`
    expect(rows).toEqual([{ idempotencyKey: key, isRequired: true, switchedAt: null }])
  })

  it('given that it is refused, then nothing', async () => {
    const payer = anActor()
    const { id } = await api.seed.task({ requester: anActor().address })
    const refused = await send({ payer, path: `/api/tasks/${id}/cancel`, body: null, bound: named })
    expect(refused.status).toBe(403)
    expect(await isOn(payer)).toBe(false)
  })

  it('given a switch between the check and the bind, then the switch holds and nothing is bound', async () => {
    const payer = anActor()
    const { simulate } = api.chain
    api.chain.simulate = async (call) => {
      expect((await api.post('/api/wallet/consent', await aSwitch(payer, true))).status).toBe(200)
      return await simulate(call)
    }
    try {
      const key = crypto.randomUUID()
      expect(toOutcome(await send({ payer, key }))).toEqual(REFUSED)
      expect(await api.sql`select status from intents where idempotency_key = ${key}`).toEqual([{ status: 'reserved' }])
    } finally {
      api.chain.simulate = simulate
    }
  })
})

const aSwitch = (wallet: Actor, required: boolean, timestamp = START) =>
  aConsentSwitch(wallet, { required, timestamp, forwarder: api.deps.deployment.forwarder })

describe('a switch', () => {
  it('given a stock client of a wallet that asks for names, then the 403 has the text of the switch that ends it', async () => {
    const payer = anActor()
    expect(toOutcome(await send({ payer, bound: named }))).toEqual(BOUND)
    const { status, body } = await send({ payer })
    expect([status, body.service.detail]).toEqual([403, 'consent_required'])
    expect(body.error).toContain('POST /api/wallet/consent')
    expect(body.error).toContain('task-market wallet consent off')
    const [, text = ''] = /over "([^"]*:consent:off:[^"]*)"/.exec(body.error) ?? []
    const message = text.replace('<timestamp>', String(START))
    const signature = await payer.account.signMessage({ message })
    const off = { walletAddress: payer.address, required: false, timestamp: Number(START), signature }
    expect(await api.post('/api/wallet/consent', off)).toMatchObject({ status: 200 })
    expect(toOutcome(await send({ payer }))).toEqual(BOUND)
  })

  it('given a payment that follows the text of the 403, by its nonce or in the header, then it is taken', async () => {
    for (const isNonce of [true, false]) {
      const [payer, key] = [await aStrictWallet(), crypto.randomUUID()]
      const { error } = (await send({ payer, key })).body
      const [, text = ''] = /keccak256 of "([^"]+)"/.exec(error) ?? []
      const [, name = ''] = /or send in (\S+) the wallet’s EIP-191/.exec(error) ?? []
      const sign = (message: string) => payer.account.signMessage({ message })
      const followed = isNonce
        ? { bound: () => keccak256(toHex(text)) }
        : {
            headers: async (_sent: NamedRequest, { authorization: { nonce } }: Pick<Payment, 'authorization'>) => ({
              [name]: await sign(`${text}:${nonce}`),
            }),
          }
      expect(toOutcome(await send({ payer, key, ...followed }))).toEqual(BOUND)
    }
  })

  it('given it comes as a procedure, then it is the same', async () => {
    const wallet = anActor()
    const answer = await api.post('/trpc/wallet.setConsent', await aSwitch(wallet, true))
    expect(answer).toMatchObject({ status: 200, body: { result: { data: { required: true } } } })
    const input = encodeURIComponent(JSON.stringify({ address: wallet.address }))
    const read = await api.get(`/trpc/wallet.consent?input=${input}`)
    expect(read.body).toEqual({ result: { data: { required: true } } })
    const wrong = await api.post('/trpc/wallet.setConsent', { ...(await aSwitch(wallet, false)), required: true })
    expect(wrong.body.error.data).toMatchObject({ httpStatus: 403, service: { reason: 'unclassified' } })
    const batch = await api.post('/trpc/wallet.setConsent?batch=1', { 0: await aSwitch(wallet, false, START + 1n) })
    expect(batch.body).toEqual([{ result: { data: expect.objectContaining({ required: false }) } }])
    const two = await api.post('/trpc/wallet.setConsent,wallet.setConsent?batch=1', {})
    expect(two.status).toBe(400)
  })

  it('given two of one wallet at a time, then the later timestamp wins, whichever comes first', async () => {
    const wallet = anActor()
    const switches = [await aSwitch(wallet, true, START + 2n), await aSwitch(wallet, false, START + 1n)]
    await Promise.all(switches.map((body) => api.post('/api/wallet/consent', body)))
    expect(await isOn(wallet)).toBe(true)
  })

  it('given a contract wallet, then it is asked about this very message', async () => {
    const wallet = anActor()
    const asked: Hex[] = []
    const { verifyMessage } = api.chain
    api.chain.verifyMessage = async ({ message }) => {
      asked.push(hashMessage(message))
      return true
    }
    try {
      const { timestamp, ...body } = await aSwitch(wallet, true)
      const answer = await api.post('/api/wallet/consent', { ...body, timestamp, signature: '0x1234' })
      expect(answer.status).toBe(200)
      const text = `service:consent:on:${api.deps.deployment.chainId}:${api.deps.deployment.forwarder}:${wallet.address}:${timestamp}`
      expect(asked).toEqual([hashMessage(text)])
    } finally {
      api.chain.verifyMessage = verifyMessage
    }
  })

  it('given more than a client may send in an hour, then 429, and nothing changes', async () => {
    await api.sql`delete from service.budgets`
    const wallet = anActor()
    const statuses: number[] = []
    for (let index = 0; index <= CONSENTS; index += 1) {
      const body = await aSwitch(wallet, index % 2 === 0, START + BigInt(index))
      statuses.push((await api.post('/api/wallet/consent', body)).status)
    }
    expect(statuses).toEqual([...Array(CONSENTS).fill(200), 429])
    expect(await isOn(wallet)).toBe(false)
  })
})
