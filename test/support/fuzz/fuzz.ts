import fc from 'fast-check'
import type { Address } from 'viem'
import type { PublishedContract, PublishedDocument, ServedAnswer } from '../conformance-contract.ts'
import { checkAnswer } from './check-answer.ts'
import type { Draft, WireRequest } from './draft.ts'
import { type FuzzEnvironment, knownTextsOf } from './environment.ts'
import { listOperations, type Operation, valuesOf } from './operations.ts'
import { createPayer } from './payments.ts'
import { draftOf, type Kind, kinds, type Plan, planArbitrary, toWire } from './plan.ts'
import { recipes } from './recipes.ts'
import { type Procedure, toRpcWire, unwrapRpc } from './rpc.ts'

/** Sends a request below the service's root and reads the whole answer. */
export type Send = (request: WireRequest) => Promise<Pick<ServedAnswer, 'status' | 'headers' | 'text'>>

export interface FuzzOptions {
  document: PublishedDocument
  contract: PublishedContract
  environment: FuzzEnvironment
  send: Send
  seed: number
  /**
   * Valid requests for each operation, a paid one is two; a third as many of any other kind and transport. An operation
   * that only refused gets as many again, from other seeds.
   */
  runs: number
  /** Valid requests are those of the recipes with valid payments: each costs much, and should be admitted. */
  eager?: boolean
}

/** A write that was sent, and its outcome. */
export interface SentWrite {
  operation: string
  key: string
  status: number
  reason: string | null
  /** Payer and amount of the payment in the answered round, base units; null: none, or one that was not settled. */
  payment: { payer: Address; amount: bigint } | null
}

/** Drives operations with requests inside and outside their schemas. */
export interface Fuzz {
  operations: readonly Operation[]
  /** @throws fast-check's report, with the smallest plan that fails and the seed to repeat it */
  drive(operation: Operation, kind: Kind): Promise<void>
  /** The same through the procedure. */
  driveProcedure(procedure: Procedure, kind: Kind): Promise<void>
  /** The operations that succeeded, bound a write, or answered a price. */
  reached: ReadonlySet<string>
  /** Every relayed write with its own key, and every completed one, in order. */
  writes: readonly SentWrite[]
}

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export { kinds }

/** How often an operation is given other valid requests, until one is no refusal. */
const MOST_ROUNDS = 24

export function createFuzz({ document, contract, environment, send, seed, runs, eager = false }: FuzzOptions): Fuzz {
  const operations = listOperations(document)
  const values = valuesOf(document, knownTextsOf(environment))
  const sign = createPayer({ now: environment.now, strangers: environment.actors })
  const reached = new Set<string>()
  const writes: SentWrite[] = []

  /** One transport of an operation: how its requests are made, and how its answers become those of REST. */
  interface Way {
    operation: Operation
    toRequest(draft: Draft, plan: Plan): WireRequest
    read: (answer: Awaited<ReturnType<Send>>) => Awaited<ReturnType<Send>>
    /** Path of the answer in the document; absent: the path of the request. */
    path?: string
  }
  const sendAndCheck = async ({ operation, read, path }: Way, request: WireRequest) => {
    const answer = read(await send(request))
    const target = path ?? new URL(request.target, 'http://service').pathname
    checkAnswer(contract, { method: operation.method, path: target, ...answer })
    if (answer.status < 300 || answer.status === 402 || reasonOf(answer) === 'intent_in_flight') {
      reached.add(operation.id)
    }
    return answer
  }
  const run = async (way: Way, plan: Plan) => {
    const { operation } = way
    const draft = await draftOf(plan, { environment, operation, recipe: recipes[operation.id] })
    const request = way.toRequest(draft, plan)
    let answer = await sendAndCheck(way, request)
    let payment: SentWrite['payment'] = null
    if (answer.status === 402 && plan.payment !== 'none' && draft.payer !== null) {
      const [requirement] = JSON.parse(answer.text).accepts
      const header = await sign(draft.payer, requirement, plan.payment)
      answer = await sendAndCheck(way, { ...request, headers: { ...request.headers, 'PAYMENT-SIGNATURE': header } })
      // A payer that has what it asks for already is answered without a settlement, and without its receipt.
      const isSettled = answer.status !== 200 || answer.headers.has('payment-response')
      payment = isSettled ? { payer: draft.payer.address, amount: BigInt(requirement.amount) } : null
    }
    const key = request.headers['X-Service-Idempotency-Key']
    const isOwn = key !== undefined && isUuid.test(key) && plan.key === 'fresh'
    if (key === undefined || (!isOwn && answer.status !== 200)) return
    writes.push({ operation: operation.id, key, status: answer.status, reason: reasonOf(answer), payment })
  }
  const fewer = Math.ceil(runs / 3)
  const drive = (way: Way, kind: Kind, numRuns: number, from = seed) =>
    fc.assert(
      fc.asyncProperty(planArbitrary(way.operation, kind, values), (plan) =>
        run(way, eager && kind === 'valid' ? { ...plan, cooked: true, key: 'fresh', payment: 'good' } : plan),
      ),
      { seed: from, numRuns },
    )
  return {
    operations,
    reached,
    writes,
    drive: async (operation, kind) => {
      const toRequest: Way['toRequest'] = (draft, { raw }) => toWire(operation, draft, raw)
      const way: Way = { operation, toRequest, read: (answer) => answer }
      if (kind !== 'valid') return await drive(way, kind, fewer)
      await drive(way, kind, runs)
      for (let round = 1; round < MOST_ROUNDS && !reached.has(operation.id); round += 1) {
        await drive(way, kind, runs, seed + round)
      }
    },
    driveProcedure: (procedure, kind) => {
      const { operation } = procedure
      // Any value is valid for a path parameter: here the parameter's own name.
      const path = operation.path.replace(/[{}]/g, '')
      return drive(
        { operation, path, toRequest: (draft, { raw }) => toRpcWire(procedure, draft, raw), read: unwrapRpc },
        kind,
        fewer,
      )
    },
  }
}

function reasonOf({ status, text }: Pick<ServedAnswer, 'status' | 'text'>): string | null {
  return status < 400 ? null : (JSON.parse(text).service?.reason ?? null)
}
