import { readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { type Hex, keccak256, stringToBytes, type TypedDataDefinition } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect } from 'vitest'
import { type Client, type ClientOptions, createClient } from '../../../client/src/create-client.ts'
import { sha256Hex } from '../../../client/src/payments/payment-text.ts'
import { fileStore } from '../../../client/src/store/file-store.ts'
import type { JournalEntry } from '../../../client/src/store/store.ts'
import { boundNonceOf } from '../../../protocol/bound-call.ts'
import { encodeCall, normalise } from '../../../protocol/derive.ts'
import type { ContractCall } from '../../../protocol/relay.ts'
import { aWalletDirectory } from '../../support/client/wallets.ts'
import { listen } from './listen.ts'
import { challengeHeader, testDeployment } from './paid-service.ts'

const address = (digits: string) => `0x${digits.repeat(20)}` as const
export const hash = (digits: string) => `0x${digits.repeat(32)}` as const

const { local: _, usdcDomain: __, ...addresses } = testDeployment
/** A deployment of before bound payments, and one that takes them. */
export const place = { ...addresses, identityRegistry: address('d4'), identityRegistrar: address('e5') }
export const deployment = { ...place, bound: true }
const walletKey = hash('42')
export const signer = privateKeyToAccount(walletKey)
export const taskId = hash('ab')
export const worker = address('77')
export const creation = { description: 'Haiku', reward: '5000000', duration: 24, tags: [] }
export const acceptance = { taskId, worker }

/** A request of the client, as the service gets it. */
export interface Sent {
  method: string
  path: string
  key: string
  body: string
  payment: { signature: Hex; authorization: Record<string, string>; bound?: { salt: Hex } } | null
}

export interface Answer {
  status: number
  body: unknown
  headers?: Record<string, string>
}

/** A service that says what a test wants it to say, with a wallet that keeps what it signs. */
export interface HostileService {
  url: string
  answer: (sent: Sent) => Answer
  sent: Sent[]
  signedData: TypedDataDefinition[]
  signedTexts: string[]
  aMarket(options?: Partial<ClientOptions>): Client & { entries(): JournalEntry[] }
  paidRequests(): Sent[]
  /** Forgets what was sent and signed. */
  reset(): void
  stop(): void
}

/** Starts one. */
export async function startHostileService(): Promise<HostileService> {
  const { url, stop } = await listen(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const got = toSent(request, Buffer.concat(chunks).toString())
    service.sent.push(got)
    const { status, body, headers = {} } = service.answer(got)
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  })
  const account: ClientOptions['account'] = {
    address: signer.address,
    signMessage: (args) => {
      service.signedTexts.push(args.message)
      return signer.signMessage(args)
    },
    signTypedData: (typedData) => {
      service.signedData.push(typedData)
      return signer.signTypedData(typedData)
    },
  }
  const service: HostileService = {
    url,
    answer: () => notFound,
    sent: [],
    signedData: [],
    signedTexts: [],
    aMarket: (options = {}) => {
      const directory = aWalletDirectory()
      const timing = { requestMs: 5_000, waitMs: 300, pauseMs: 50, maxPauseMs: 50 }
      const store = fileStore({ directory })
      const given = { url: service.url, account, deployment, store, timing, onWarning: () => {}, ...options }
      const file = join(directory, signer.address.toLowerCase(), 'state.json')
      return { ...createClient(given), entries: () => Object.values(JSON.parse(readFileSync(file, 'utf8')).entries) }
    },
    paidRequests: () => service.sent.filter(({ payment }) => payment !== null && payment.bound !== undefined),
    reset: () => Object.assign(service, { sent: [], signedData: [], signedTexts: [] }),
    stop,
  }
  return service
}

/** Variables of the tool with a wallet in a folder of its own, at a service with this deployment. */
export function toolEnvironment(url: string, of: object) {
  const home = aWalletDirectory()
  const file = join(home, 'deployment.json')
  writeFileSync(file, JSON.stringify(of))
  return {
    TASK_MARKET_URL: url,
    TASK_MARKET_HOME: home,
    TASK_MARKET_DEPLOYMENT: file,
    TASK_MARKET_PRIVATE_KEY: walletKey,
  }
}

function toSent({ method = '', url: path = '', headers }: IncomingMessage, body: string): Sent {
  const header = headers['payment-signature']
  const payment = header === undefined ? null : JSON.parse(Buffer.from(String(header), 'base64').toString()).payload
  return { method, path, key: String(headers['x-service-idempotency-key']), body, payment }
}

/** A challenge of that amount. A service may say anything in it: it announces no bound payments. */
export function challenge(amount: bigint): Answer {
  const header = challengeHeader('https://market.example', amount)
  return { status: 402, body: { error: 'Pay.' }, headers: { 'PAYMENT-REQUIRED': header } }
}

export const done: Answer = { status: 200, body: { success: true, txHash: hash('12'), taskId } }
export const notFound: Answer = { status: 404, body: { error: 'None.', service: { reason: 'intent_not_found' } } }
export const factsChanged: Answer = {
  status: 409,
  body: {
    error: 'Another call.',
    service: {
      reason: 'payment_preflight_rejected',
      detail: 'facts_changed',
      facts: { deliverables: [hash('66')], reward: '1' },
      escrowAmount: '0',
    },
  },
}

/** The salt of a request: the hash of the text that names it. */
export async function saltOf({ method, path, key, body }: Sent): Promise<Hex> {
  const text = `service:pay:8453:${place.forwarder}:${method} ${path}:${key}:${await sha256Hex(body)}`
  return keccak256(stringToBytes(text))
}

/** The requests that had a payment, of which each must be for its own bytes and the call alone. */
export async function expectBound({ sent, signedData }: HostileService, calls: readonly ContractCall[]) {
  const posted = sent.filter(({ method, payment }) => method === 'POST' && payment !== null)
  expect(posted).toHaveLength(calls.length)
  for (const [at, request] of posted.entries()) {
    const salt = await saltOf(request)
    expect(request.payment?.bound).toEqual({ salt })
    expect(request.payment?.authorization.nonce).toBe(boundNonceOf(calls[at] as ContractCall, { ...place, salt }))
  }
  expect(new Set(signedData.map(({ primaryType }) => primaryType))).toEqual(new Set(['ReceiveWithAuthorization']))
}

/** The call of a creation, as its body has it. */
export function callOfCreation(body: string): ContractCall {
  const request = normalise('tasks.create', JSON.parse(body))
  const actor = signer.address.toLowerCase() as Hex
  return encodeCall('tasks.create', request, { deployment: place, actor, facts: {} } as never)
}

/** The call of the acceptance of one submission. */
export const callOfAcceptance = (deliverable: Hex): ContractCall =>
  encodeCall('tasks.accept', normalise('tasks.accept', { taskId, worker } as never), {
    deployment: place,
    actor: signer.address.toLowerCase() as Hex,
    facts: { reward: 2_000_000n, deliverables: [deliverable] },
  } as never)

/** A task with one submission, whose deliverable is asked for at each read. */
export function answerAcceptance(deliverable: () => Hex, paid: () => Answer) {
  return ({ method, path, payment }: Sent): Answer => {
    if (path.startsWith('/api/intents')) return notFound
    if (path.includes('/submissions')) {
      return { status: 200, body: [{ id: hash('01'), workerAddress: worker, deliverableHash: deliverable() }] }
    }
    if (method === 'GET') {
      return { status: 200, body: { id: taskId, reward: '2000000', requester: signer.address, pendingActions: [] } }
    }
    return payment === null ? challenge(1_000n) : paid()
  }
}
