import postgres from 'postgres'
import type { Hex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { startAnotherApi } from '../support/conformance-api.ts'
import { aSubmissionBody, aTaskBody } from '../support/conformance-fixtures.ts'
import { type CuttableProxy, startCuttableProxy } from '../support/cuttable-proxy.ts'
import { aKey } from '../support/paying-client.ts'
import {
  type Call,
  preparePayment,
  type TransportAdapter,
  type TransportAnswer,
  transportAdapters,
} from './transport-adapters.ts'

const environment = openEnvironment()
const now = environment.chain.headTime

/** Waits for no outcome and grants two anonymous reads of intents. */
let hasty: Awaited<ReturnType<typeof startAnotherApi>>
/** One free submission, and a database and a node that can be cut off. */
let troubled: Awaited<ReturnType<typeof startAnotherApi>>
let database: CuttableProxy
let node: CuttableProxy

beforeAll(async () => {
  const { logins, rpcUrl } = inject('conformanceStack')
  ;[database, node] = await Promise.all([proxyTo(logins.serviceUrl), proxyTo(rpcUrl)])
  hasty = await startAnotherApi({ environment: { WRITE_ANSWER_MS: '300', INTENT_READS_PER_MINUTE: '2' } })
  troubled = await startAnotherApi({
    databaseUrl: through(database, logins.serviceUrl),
    rpcUrl: through(node, rpcUrl),
    environment: { FREE_SUBMISSIONS: '1' },
  })
})
/** Restores mining and connections after each test. */
afterEach(async () => {
  await environment.chain.request('evm_setAutomine', [true])
  database.mend()
  node.mend()
  await expect.poll(async () => (await fetch(`${troubled.baseUrl}/api/tasks`)).status).toBe(200)
})
afterAll(async () => {
  await hasty.stop()
  await troubled.stop()
  await Promise.all([database.stop(), node.stop()])
})

function proxyTo(url: string): Promise<CuttableProxy> {
  const { hostname, port } = new URL(url)
  return startCuttableProxy({ host: hostname, port: Number(port) })
}

function through({ port }: CuttableProxy, url: string): string {
  const proxied = new URL(url)
  proxied.port = String(port)
  return proxied.href
}

/** A situation, and the request that is answered with the reason. */
interface Staged {
  answer: () => Promise<TransportAnswer>
  /** Expected fields of the answer besides the reason. */
  facts?: Record<string, unknown>
  /** Fields that the answer must not have. */
  without?: string[]
  /** The wallet whose balance is compared, and its expected change, base units; zero unless given. */
  payer?: Actor
  charged?: bigint
  afterwards?: (refusal: TransportAnswer) => Promise<void>
}

interface Scenario {
  title: string
  status: number
  reason: string
  stage: (adapter: TransportAdapter) => Promise<Staged>
}

/** The class of error that both transports name beside a status. */
const codes: Record<number, string> = {
  400: 'BAD_REQUEST',
  402: 'PAYMENT_REQUIRED',
  403: 'FORBIDDEN',
  404: 'NOT_FOUND',
  409: 'CONFLICT',
  413: 'PAYLOAD_TOO_LARGE',
  429: 'TOO_MANY_REQUESTS',
  500: 'INTERNAL_SERVER_ERROR',
  503: 'SERVICE_UNAVAILABLE',
}

const anyId = expect.stringMatching(/^[0-9a-f-]{36}$/)
const anyHash = expect.stringMatching(/^0x[0-9a-f]{64}$/)
const everyFact = ['intentId', 'intentStatus', 'operation', 'idempotencyKey', 'txHash']
const reward = 2_000_000n
const unknownTask = `0x${'de'.repeat(32)}` as const

const createCall = (fields: Record<string, unknown> = {}): Call => ({
  operation: 'tasks.create',
  input: aTaskBody(fields),
})

/** A paid call, ready to be sent by its payer. */
async function prepared(adapter: TransportAdapter, payer: Actor, call: Call, baseUrl = environment.baseUrl) {
  const client = await environment.clientOf(payer)
  return await preparePayment(adapter, { baseUrl, call, sign: (requirement) => client.sign(requirement) })
}

async function aPaidCreation(adapter: TransportAdapter, baseUrl = environment.baseUrl) {
  const payer = await environment.aWallet()
  return { payer, call: await prepared(adapter, payer, createCall(), baseUrl) }
}

/** A creation over each transport that is completed, and whose task stays open. */
const landed = new Map<TransportAdapter, ReturnType<typeof land>>()
function aLandedCreation(adapter: TransportAdapter): ReturnType<typeof land> {
  const creation = landed.get(adapter) ?? land(adapter)
  landed.set(adapter, creation)
  return creation
}

async function land(adapter: TransportAdapter) {
  const { payer, call } = await aPaidCreation(adapter)
  const { intentId, taskId } = (await adapter.write(environment.baseUrl, call)).data as Record<string, string>
  return { payer, call, intentId, taskId: taskId as Hex }
}

const isPooled = async (count: number) =>
  await expect
    .poll(() => environment.chain.request('txpool_status'))
    .toMatchObject({ pending: `0x${count.toString(16)}` })

const scenarios: Scenario[] = [
  {
    reason: 'intent_in_flight',
    status: 409,
    title: 'broadcast and not mined; it cannot be repeated or paid twice, and completes',
    stage: async (adapter) => {
      const { payer, call } = await aPaidCreation(adapter, hasty.baseUrl)
      await environment.chain.request('evm_setAutomine', [false])
      const send = (changes: Partial<Call> = {}) => adapter.write(hasty.baseUrl, { ...call, ...changes })
      return {
        payer,
        charged: -reward,
        answer: send,
        facts: { intentId: anyId, intentStatus: onTheWay, operation: 'tasks.create', idempotencyKey: call.key },
        afterwards: async ({ error }) => {
          const again = await send()
          expect(again.error?.service).toMatchObject({ reason: 'idempotency_key_reused', intentStatus: onTheWay })
          const elsewhere = await send({ key: aKey() })
          const { intentId } = error?.service ?? {}
          expect(elsewhere.error?.service).toMatchObject({ reason: 'payment_already_spent', intentId })
          await isPooled(1)
          await environment.chain.request('evm_mine')
          const read = () =>
            adapter.read(environment.baseUrl, { operation: 'intents.get', input: { intentId }, as: payer, now })
          await expect.poll(async () => (await read()).data?.status).toBe('completed')
        },
      }
    },
  },
  {
    reason: 'idempotency_key_reused',
    status: 409,
    title: 'the write is completed',
    stage: async (adapter) => {
      const { payer, call, intentId } = await aLandedCreation(adapter)
      return {
        payer,
        answer: () => adapter.write(environment.baseUrl, call),
        facts: {
          intentId,
          intentStatus: 'completed',
          txHash: anyHash,
          operation: 'tasks.create',
          idempotencyKey: call.key,
        },
      }
    },
  },
  {
    reason: 'idempotency_key_required',
    status: 400,
    title: 'no key',
    stage: async (adapter) => ({
      answer: () => adapter.write(environment.baseUrl, { ...createCall(), key: null }),
      without: everyFact,
    }),
  },
  {
    reason: 'idempotency_key_conflict',
    status: 409,
    title: 'the key belongs to another operation',
    stage: async (adapter) => {
      const payer = await environment.aWallet()
      const { taskId } = await aLandedCreation(adapter)
      const { key } = await prepared(adapter, payer, createCall())
      return {
        payer,
        answer: () => adapter.write(environment.baseUrl, { operation: 'tasks.cancel', input: { taskId }, key }),
        facts: { intentId: anyId, intentStatus: 'reserved', operation: 'tasks.create', idempotencyKey: key },
      }
    },
  },
  {
    reason: 'idempotency_key_payload_mismatch',
    status: 409,
    title: 'other arguments under the key; the write with the original ones completes',
    stage: async (adapter) => {
      const { payer, call } = await aPaidCreation(adapter)
      return {
        payer,
        charged: -reward,
        answer: () => adapter.write(environment.baseUrl, { ...call, input: aTaskBody({ reward: '9000000' }) }),
        facts: { intentId: anyId, intentStatus: 'reserved', operation: 'tasks.create', idempotencyKey: call.key },
        afterwards: async () => expect((await adapter.write(environment.baseUrl, call)).status).toBe(200),
      }
    },
  },
  {
    reason: 'payment_already_spent',
    status: 409,
    title: 'the payment funded another intent, which is named without its key',
    stage: async (adapter) => {
      const { payer, call, intentId } = await aLandedCreation(adapter)
      return {
        payer,
        answer: () => adapter.write(environment.baseUrl, { ...call, key: aKey() }),
        facts: {
          intentId,
          intentStatus: 'completed',
          operation: 'tasks.create',
          txHash: anyHash,
        },
        without: ['idempotencyKey'],
      }
    },
  },
  {
    reason: 'intent_not_found',
    status: 404,
    title: 'an intent of another wallet and an unknown one have the same answer',
    stage: async (adapter) => {
      const { intentId = '' } = await aLandedCreation(adapter)
      const read = (id: string) =>
        adapter.read(environment.baseUrl, { operation: 'intents.get', input: { intentId: id }, as: anActor(), now })
      return {
        answer: () => read(intentId),
        without: everyFact,
        afterwards: async ({ error }) => expect((await read(aKey())).error).toEqual(error),
      }
    },
  },
  {
    reason: 'intent_completion_deferred',
    status: 500,
    title: 'the write is on chain and recorded, and its answer cannot be built',
    stage: async (adapter) => {
      const payer = await environment.aWallet()
      const taskId = await environment.createTask(payer)
      const input = { taskId, reward: '1500000' }
      const call = await prepared(adapter, payer, { operation: 'tasks.update', input })
      return {
        // The fee, and half a USDC of the reward comes back.
        payer,
        charged: 499_000n,
        answer: async () => {
          await environment.chain.request('evm_setAutomine', [false])
          const answer = adapter.write(environment.baseUrl, call)
          await isPooled(1)
          return await withoutTable('task_content', async () => {
            await environment.chain.request('evm_mine')
            return await answer
          })
        },
        facts: {
          intentId: anyId,
          intentStatus: 'completed',
          txHash: anyHash,
          operation: 'tasks.update',
          idempotencyKey: call.key,
        },
        afterwards: async () => {
          const again = await adapter.write(environment.baseUrl, call)
          expect(again.error?.service).toMatchObject({ reason: 'idempotency_key_reused', intentStatus: 'completed' })
          expect((await environment.get(`/tasks/${taskId}`)).body.reward).toBe('1500000')
        },
      }
    },
  },
  {
    reason: 'payment_rejected',
    status: 402,
    title:
      'a signature of another wallet; the challenge is sent again, and a valid payment completes with the same key',
    stage: async (adapter) => {
      const { payer, call } = await aPaidCreation(adapter)
      const { account } = await environment.aWallet()
      const client = await environment.clientOf({ ...payer, account })
      const forge = { from: payer.address }
      const forged = await preparePayment(adapter, {
        baseUrl: environment.baseUrl,
        call,
        sign: (requirement) => client.sign(requirement, forge),
      })
      return {
        payer,
        charged: -reward,
        answer: () => adapter.write(environment.baseUrl, forged),
        facts: { intentId: anyId, intentStatus: 'reserved', operation: 'tasks.create', idempotencyKey: call.key },
        without: ['txHash'],
        afterwards: async ({ requirement, headers }) => {
          expect(requirement?.amount).toBe(String(reward))
          expect(headers.get('payment-required')).toMatch(/./)
          expect((await adapter.write(environment.baseUrl, call)).status).toBe(200)
        },
      }
    },
  },
  {
    reason: 'payment_rejected',
    status: 400,
    title: 'a payment that cannot be read',
    stage: async (adapter) => {
      const key = aKey()
      return {
        answer: () => adapter.write(environment.baseUrl, { ...createCall(), key, payment: 'bm8gcGF5bWVudA==' }),
        facts: { operation: 'tasks.create', idempotencyKey: key, intentStatus: 'reserved' },
        without: ['txHash'],
      }
    },
  },
  {
    reason: 'payment_rejected',
    status: 500,
    title: 'the service fails before it uses the payment, which completes with the same key after the recovery',
    stage: async (adapter) => {
      const { payer, call } = await aPaidCreation(adapter)
      return {
        payer,
        charged: -reward,
        answer: () => withoutTable('wallet_consents', () => adapter.write(environment.baseUrl, call)),
        facts: { idempotencyKey: call.key },
        without: ['txHash'],
        afterwards: async () => expect((await adapter.write(environment.baseUrl, call)).status).toBe(200),
      }
    },
  },
  {
    reason: 'payment_preflight_rejected',
    status: 400,
    title: 'invalid input, before any challenge',
    stage: async (adapter) => ({
      answer: () => adapter.write(environment.baseUrl, createCall({ reward: '0' })),
      without: ['intentId', 'txHash'],
      afterwards: async ({ error }) => expect(error?.issues).toMatchObject([{ path: 'reward' }]),
    }),
  },
  {
    reason: 'payment_preflight_rejected',
    status: 403,
    title: 'the payer is not the requester',
    stage: async (adapter) => {
      const payer = await environment.aWallet()
      const { taskId } = await aLandedCreation(adapter)
      const call = await prepared(adapter, payer, { operation: 'tasks.cancel', input: { taskId } })
      return {
        payer,
        answer: () => adapter.write(environment.baseUrl, call),
        facts: { intentId: anyId, operation: 'tasks.cancel', idempotencyKey: call.key },
        without: ['txHash'],
      }
    },
  },
  {
    reason: 'payment_preflight_rejected',
    status: 404,
    title: 'a task that does not exist, before any challenge',
    stage: async (adapter) => ({
      answer: () => adapter.write(environment.baseUrl, { operation: 'tasks.cancel', input: { taskId: unknownTask } }),
      without: ['intentId', 'txHash'],
    }),
  },
  {
    reason: 'payment_preflight_rejected',
    status: 409,
    title: 'a task whose state does not allow it, before any challenge',
    stage: async (adapter) => {
      const payer = await environment.aWallet()
      const taskId = await environment.createTask(payer)
      await environment.cancel(payer, taskId)
      return {
        payer,
        without: ['intentId', 'txHash'],
        answer: () => adapter.write(environment.baseUrl, { operation: 'tasks.cancel', input: { taskId } }),
      }
    },
  },
  {
    reason: 'payment_payer_mismatch',
    status: 403,
    title: 'a submission beyond the free allowance, paid by another wallet',
    stage: async (adapter) => {
      const [payer, alice] = [await environment.aWallet(), anActor()]
      const { taskId } = await aLandedCreation(adapter)
      const submission = async (): Promise<Call> => ({
        operation: 'submissions.create',
        input: await aSubmissionBody(alice, taskId),
      })
      expect((await adapter.write(troubled.baseUrl, await submission())).status).toBe(200)
      const call = await prepared(adapter, payer, await submission(), troubled.baseUrl)
      return {
        payer,
        answer: () => adapter.write(troubled.baseUrl, call),
        facts: { intentId: anyId, operation: 'submissions.create', idempotencyKey: call.key },
        without: ['txHash'],
      }
    },
  },
  {
    reason: 'idempotency_check_unavailable',
    status: 503,
    title: 'the database is unreachable; the same payment completes with the same key after the recovery',
    stage: async (adapter) => {
      const { payer, call } = await aPaidCreation(adapter, troubled.baseUrl)
      return {
        payer,
        charged: -reward,
        answer: () => {
          database.cut()
          return adapter.write(troubled.baseUrl, call)
        },
        facts: { idempotencyKey: call.key },
        without: ['txHash'],
        afterwards: async ({ headers }) => {
          expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
          const { payment: _, ...unpaid } = call
          expect((await adapter.write(troubled.baseUrl, unpaid)).error?.service.reason).toBe(
            'idempotency_check_unavailable',
          )
          database.mend()
          const retried = async () => (await adapter.write(troubled.baseUrl, call)).status
          await expect.poll(retried).toBe(200)
        },
      }
    },
  },
  {
    reason: 'idempotency_check_unavailable',
    status: 503,
    title: 'the chain gives no answer; the same payment completes with the same key after the recovery',
    stage: async (adapter) => {
      const { payer, call } = await aPaidCreation(adapter, troubled.baseUrl)
      return {
        payer,
        charged: -reward,
        answer: () => {
          node.cut()
          return adapter.write(troubled.baseUrl, call)
        },
        facts: { idempotencyKey: call.key },
        without: ['txHash'],
        afterwards: async ({ headers }) => {
          expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
          node.mend()
          const retried = async () => (await adapter.write(troubled.baseUrl, call)).status
          await expect.poll(retried).toBe(200)
        },
      }
    },
  },
  {
    reason: 'unclassified',
    status: 400,
    title: 'a read with invalid input',
    stage: async (adapter) => ({
      answer: () => adapter.read(environment.baseUrl, { operation: 'tasks.list', input: { limit: 0 } }),
      without: everyFact,
      afterwards: async ({ error }) => expect(error?.issues).toMatchObject([{ path: 'limit' }]),
    }),
  },
  {
    reason: 'unclassified',
    status: 404,
    title: 'a route or procedure that does not exist',
    stage: async (adapter) => ({
      answer: () => adapter.read(environment.baseUrl, { operation: 'tasks.nothing' }),
      without: everyFact,
    }),
  },
  {
    reason: 'unclassified',
    status: 413,
    title: 'a body beyond the limit of its write',
    stage: async (adapter) => ({
      answer: () => adapter.write(environment.baseUrl, createCall({ padding: 'x'.repeat(1_000_000) })),
      without: everyFact,
    }),
  },
  {
    reason: 'unclassified',
    status: 429,
    title: 'an exhausted rate limit, which does not apply to callers with an identity',
    stage: async (adapter) => {
      const read = (as?: Actor) =>
        adapter.read(hasty.baseUrl, { operation: 'intents.get', input: { intentId: aKey() }, ...(as && { as, now }) })
      return {
        answer: async () => {
          await read()
          await read()
          return await read()
        },
        without: everyFact,
        afterwards: async ({ headers }) => {
          expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
          expect(headers.get('ratelimit')).toMatch(/"intentReads";r=0;t=\d+/)
          expect((await read(anActor())).error?.service.reason).toBe('intent_not_found')
        },
      }
    },
  },
  {
    reason: 'unclassified',
    status: 503,
    title: 'a read while the database is unreachable',
    stage: async (adapter) => ({
      answer: () => {
        database.cut()
        return adapter.read(troubled.baseUrl, { operation: 'tasks.list' })
      },
      without: everyFact,
    }),
  },
]

const onTheWay = expect.stringMatching(/^(recorded|broadcast)$/)

/** Renames the table of task texts while `work` runs: every answer that shows a task fails. */
async function withoutTable<Result>(table: string, work: () => Promise<Result>): Promise<Result> {
  const sql = postgres(inject('conformanceStack').databaseUrl, { max: 1 })
  try {
    await sql`alter table service.${sql(table)} rename to ${sql(`${table}_away`)}`
    return await work()
  } finally {
    await sql`alter table if exists service.${sql(`${table}_away`)} rename to ${sql(table)}`
    await sql.end()
  }
}

/** Each status over tRPC once: it renders the same refusals. */
const ofEachStatus = scenarios.filter(
  ({ status }, index) => scenarios.findIndex((one) => one.status === status) === index,
)

describe.each(transportAdapters)('Errors over $name', (adapter) => {
  test.each(adapter.name === 'REST' ? scenarios : ofEachStatus)(
    '$reason $status: $title',
    async ({ status, reason, stage }) => {
      const { answer, facts = {}, without = [], payer, charged = 0n, afterwards } = await stage(adapter)
      const money = await environment.chain.watch({ payer: (payer ?? anActor()).address })
      const refusal = await answer()
      const { error } = refusal
      expect({
        status: refusal.status,
        code: error?.code,
        reason: error?.service.reason,
        message: error?.message,
      }).toEqual({ status, code: codes[status], reason, message: expect.stringMatching(/^\S.+\S$/s) })
      expect(error?.service).toMatchObject(facts)
      for (const fact of without) expect(error?.service).not.toHaveProperty(fact)
      await afterwards?.(refusal)
      expect(await money.changes()).toEqual({ payer: charged })
    },
  )
})

test('every reason of the interface is covered, with each of its statuses', async () => {
  const reached = new Set(scenarios.map(({ reason, status }) => `${reason} ${status}`))
  for (const reason of [
    'intent_in_flight 409',
    'idempotency_key_reused 409',
    'idempotency_key_required 400',
    'idempotency_key_conflict 409',
    'idempotency_key_payload_mismatch 409',
    'payment_already_spent 409',
    'intent_not_found 404',
    'intent_completion_deferred 500',
    'payment_rejected 402',
    'payment_rejected 400',
    'payment_rejected 500',
    'payment_preflight_rejected 400',
    'payment_preflight_rejected 403',
    'payment_preflight_rejected 404',
    'payment_preflight_rejected 409',
    'payment_payer_mismatch 403',
    'idempotency_check_unavailable 503',
  ]) {
    expect(reached).toContain(reason)
  }
})
