import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { Hex, PrivateKeyAccount } from 'viem'
import { z } from 'zod'
import { type DevRole, devAccount } from '../chain/dev-accounts.ts'
import { localNetwork } from '../contracts/network.ts'
import { createReceiptHeaders } from './legal-receipts.ts'

/**
 * A client of the service that creates demo tasks. It pays by x402 and signs with the demo wallets. Every write throws
 * if the service refuses it.
 */
export interface SeedClient {
  /**
   * Creates a task. `step` is the name of this write. If an interrupted run is repeated, the same step sends the same
   * write again and does not create a second task.
   */
  createTask(requester: DevRole, step: string, fields: Record<string, unknown>): Promise<Hex>
  /** Claims a task with the required stake. */
  claim(worker: DevRole, step: string, taskId: Hex): Promise<void>
  submit(worker: DevRole, step: string, submission: { taskId: Hex; fileName: string; text: string }): Promise<void>
  pitch(worker: DevRole, step: string, taskId: Hex, pitchText: string): Promise<void>
  /** Returns the id of a worker's pitch. The worker must have exactly one pitch to this task. */
  pitchIdOf(worker: DevRole, taskId: Hex): Promise<Hex>
  bid(worker: DevRole, step: string, bid: { taskId: Hex; price: string }): Promise<void>
  /** Submits a proof of the kind `url`. */
  prove(worker: DevRole, step: string, proof: { taskId: Hex; data: string; metricValue: string }): Promise<void>
  /** Sends a paid write about a task. `path` is the part of the route's path after the task's id. */
  act(actor: DevRole, step: string, action: { taskId: Hex; path: string; body?: unknown }): Promise<void>
  /** Sends a write that concerns no task. `path` is the part of the route's path after `/api`. @returns the answer */
  post(actor: DevRole, step: string, request: { path: string; body: unknown }): Promise<unknown>
  /** Sends a read. `path` is the part of the route's path after `/api`. @returns the answer, even if it is a refusal */
  get(path: string): Promise<unknown>
  /** Resolves when the task's deadline has passed. */
  untilExpired(taskId: Hex): Promise<void>
  addressOf(role: DevRole): Hex
}

/** Creates a client for demo tasks. @param name name of the chain; the idempotency keys of two chains differ */
export function createSeedClient({ baseUrl, name }: { baseUrl: string; name: string }): SeedClient {
  const accountOf = (role: DevRole) => devAccount(role).account
  const receiptHeaders = createReceiptHeaders(baseUrl)
  const send = async (role: DevRole, step: string, { path, body }: { path: string; body?: unknown }) => {
    const key = keyOf(`${name} ${step}`)
    const response = await payingFetch(accountOf(role))(`${baseUrl}/api${path}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Service-Idempotency-Key': key,
        ...(await receiptHeaders(accountOf(role))),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer: unknown = await response.json()
    if (response.ok) return answer
    if (isUnderWay(answer)) return untilCompleted(baseUrl, key, accountOf(role))
    throw new Error(`${step}: POST ${path} answered ${response.status} ${JSON.stringify(answer)}`)
  }
  return {
    createTask: async (requester, step, fields) => {
      const body = { duration: 72, tags: [], ...fields }
      return createdSchema.parse(await send(requester, step, { path: '/tasks', body })).taskId
    },
    claim: async (worker, step, taskId) => {
      const { address, signMessage } = accountOf(worker)
      const signature = await signMessage({ message: `service:claim:${taskId}` })
      await send(worker, step, { path: `/tasks/${taskId}/claim`, body: { taskId, workerAddress: address, signature } })
    },
    submit: async (worker, step, { taskId, fileName, text }) => {
      const account = accountOf(worker)
      const signature = await account.signMessage({ message: `service:submit:${taskId}` })
      const file = Buffer.from(text).toString('base64')
      const artifacts = [{ fileName, mimeType: 'text/markdown', role: 'final', file }]
      const body = { taskId, workerAddress: account.address, artifacts, signature }
      await send(worker, step, { path: `/tasks/${taskId}/submissions`, body })
    },
    pitch: async (worker, step, taskId, pitchText) => {
      // The payment proves the identity of the pitching worker. The field is required, and its value is unused.
      const body = { taskId, workerAddress: accountOf(worker).address, pitchText, signature: 'paid' }
      await send(worker, step, { path: `/tasks/${taskId}/pitches`, body })
    },
    pitchIdOf: async (worker, taskId) => {
      const pitches = pitchList.parse(await (await fetch(`${baseUrl}/api/tasks/${taskId}/pitches`)).json())
      const pitch = pitches.find(({ workerAddress }) => workerAddress === accountOf(worker).address)
      if (pitch === undefined) throw new Error(`${worker} has no pitch in ${taskId}`)
      return pitch.id
    },
    bid: async (worker, step, { taskId, price }) => {
      await send(worker, step, { path: `/tasks/${taskId}/bids`, body: { taskId, price } })
    },
    prove: async (worker, step, { taskId, data, metricValue }) => {
      const proof = { proofData: data, proofType: 'url', metricValue, signature: 'paid' }
      const body = { taskId, workerAddress: accountOf(worker).address, ...proof }
      await send(worker, step, { path: `/tasks/${taskId}/proofs`, body })
    },
    act: async (actor, step, { taskId, path, body }) => {
      await send(actor, step, { path: `/tasks/${taskId}${path}`, body })
    },
    post: send,
    get: async (path) => await (await fetch(`${baseUrl}/api${path}`)).json(),
    untilExpired: async (taskId) => {
      while ((await readPhase(baseUrl, taskId)) !== 'awaiting_settlement') await delay(200)
    },
    addressOf: (role) => accountOf(role).address,
  }
}

const hex = z.templateLiteral(['0x', z.string()])
const createdSchema = z.object({ taskId: hex })
const pitchList = z.array(z.object({ id: hex, workerAddress: hex }))

/**
 * Returns a `fetch` that pays by itself when the service answers with status 402. The x402 library's default limit of
 * one dollar for a payment is disabled.
 */
function payingFetch(account: PrivateKeyAccount): typeof fetch {
  const schemes = [{ network: `eip155:${localNetwork.chainId}` as const, client: new ExactEvmScheme(account) }]
  return wrapFetchWithPayment(fetch, x402Client.fromConfig({ schemes, spendControls: false }))
}

/**
 * Returns a UUID that depends only on `name`. A repeated run therefore sends its writes with the same idempotency keys.
 */
export function keyOf(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex')
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `5${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
}

const refusal = z.object({ service: z.object({ reason: z.string() }) })

/** Returns true if a refusal means that an earlier, interrupted run has already sent this write. */
function isUnderWay(answer: unknown): boolean {
  const { data } = refusal.safeParse(answer)
  return data?.service.reason === 'idempotency_key_reused' || data?.service.reason === 'intent_in_flight'
}

const intentSchema = z.object({ status: z.string(), taskId: z.string().nullable() })

/**
 * Waits for the outcome of a write that an earlier run has sent. @returns the outcome, with the id of the created task,
 * if any @throws if the write has failed
 */
async function untilCompleted(baseUrl: string, key: string, account: PrivateKeyAccount): Promise<unknown> {
  const headers = await readHeaders(baseUrl, account)
  for (;;) {
    const response = await fetch(`${baseUrl}/api/intents?idempotencyKey=${key}`, { headers })
    const intent = intentSchema.parse(await response.json())
    if (intent.status === 'completed') return intent
    if (!['recorded', 'broadcast'].includes(intent.status))
      throw new Error(`the write under ${key} is ${intent.status}`)
    await delay(200)
  }
}

/** Returns the headers that prove which wallet reads (the read identity). They expire in an hour. */
async function readHeaders(baseUrl: string, account: PrivateKeyAccount): Promise<Record<string, string>> {
  const expires = Math.floor(Date.now() / 1000) + 3600
  const message = `service:read:${localNetwork.chainId}:${new URL(baseUrl).host}:${account.address.toLowerCase()}:${expires}`
  return {
    'X-Service-Caller-Address': account.address,
    'X-Service-Caller-Signature': await account.signMessage({ message }),
    'X-Service-Read-Expires': String(expires),
  }
}

async function readPhase(baseUrl: string, taskId: Hex): Promise<string> {
  const response = await fetch(`${baseUrl}/api/tasks/${taskId}`)
  return z.object({ phase: z.string() }).parse(await response.json()).phase
}
