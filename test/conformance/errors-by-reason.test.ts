import type { Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { aTaskBody } from '../support/conformance-fixtures.ts'
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
async function prepared(adapter: TransportAdapter, payer: Actor, call: Call) {
  const client = await environment.clientOf(payer)
  return await preparePayment(adapter, {
    baseUrl: environment.baseUrl,
    call,
    sign: (requirement) => client.sign(requirement),
  })
}

async function aPaidCreation(adapter: TransportAdapter) {
  const payer = await environment.aWallet()
  return { payer, call: await prepared(adapter, payer, createCall()) }
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

const scenarios: Scenario[] = [
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
]

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

/**
 * The reasons of a service in trouble, and of a write on its way, are in `test/api/writes/dependency-failures.test.ts` and `outcomes.test.ts`, a payer
 * that is not the worker beside each write, and `unclassified` beside each limit and read.
 */
test('every reason of a working service is covered, with each of its statuses', async () => {
  const reached = new Set(scenarios.map(({ reason, status }) => `${reason} ${status}`))
  for (const reason of [
    'idempotency_key_reused 409',
    'idempotency_key_required 400',
    'idempotency_key_conflict 409',
    'idempotency_key_payload_mismatch 409',
    'payment_already_spent 409',
    'intent_not_found 404',
    'payment_rejected 402',
    'payment_rejected 400',
    'payment_preflight_rejected 400',
    'payment_preflight_rejected 403',
    'payment_preflight_rejected 404',
    'payment_preflight_rejected 409',
  ]) {
    expect(reached).toContain(reason)
  }
})
