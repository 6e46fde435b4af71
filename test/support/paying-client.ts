import { type Hex, type PrivateKeyAccount, toHex } from 'viem'
import type { Authorization, Payment, Requirement } from './payment.ts'
import { boundNonce, type NamedRequest, paymentProof } from './payment-text.ts'

export interface Reply {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any
}

/** One request of a write. The caller chooses the key: repeating a request means repeating its key. */
export interface WriteCall {
  path: string
  body?: unknown
  key: string
  headers?: Record<string, string>
}

/** A client of HTTP, JSON and EIP-712 that reads everything else from the answers. */
export interface PayingClient {
  account: PrivateKeyAccount
  send(call: WriteCall): Promise<Reply>
  get(path: string, headers?: Record<string, string>): Promise<Reply>
  /** Round one: the requirement of the 402. Throws for another answer. */
  challenge(call: WriteCall): Promise<Requirement>
  /** Signs the requirement. */
  sign(requirement: Requirement, changes?: Partial<Authorization>): Promise<Payment>
  /** Round two. */
  sendPaid(call: WriteCall, payment: Payment): Promise<Reply>
  /** Both rounds, as stock clients do them: the payment does not name the request. */
  pay(call: WriteCall): Promise<Reply>
  /** The same with a payment whose nonce names the request. */
  payBound(call: WriteCall): Promise<Reply>
  /** The nonce that names the request. Asks for its challenge. */
  nonceOf(call: WriteCall): Promise<Hex>
  /** The header that names the request, for a payment of any nonce. */
  proofOf(call: WriteCall, payment: Payment): Promise<Record<string, string>>
}

export interface PayingClientOptions {
  baseUrl: string
  account: PrivateKeyAccount
  /** Unix seconds; the host's clock unless given. */
  now?: () => bigint
  /** Sends the requests; the global one unless given. */
  fetch?: typeof globalThis.fetch
}

export function createPayingClient(options: PayingClientOptions): PayingClient {
  const { baseUrl, account, now = hostSeconds, fetch = globalThis.fetch } = options
  const send = async ({ path, body, key, headers = {} }: WriteCall): Promise<Reply> =>
    await toReply(
      await fetch(`${baseUrl}/api${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Service-Idempotency-Key': key, ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    )
  const challenge = async (call: WriteCall): Promise<Requirement> => {
    const reply = await send(call)
    if (reply.status !== 402) throw new Error(`expected a challenge, got ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body.accepts[0]
  }
  const sign = async (requirement: Requirement, changes: Partial<Authorization> = {}): Promise<Payment> => {
    const authorization: Authorization = {
      from: account.address,
      to: requirement.payTo,
      value: requirement.amount,
      validAfter: '0',
      validBefore: String(now() + BigInt(requirement.maxTimeoutSeconds)),
      nonce: toHex(crypto.getRandomValues(new Uint8Array(32))),
      ...changes,
    }
    const signature = await account.signTypedData({ ...requirement.extra.eip712, message: { ...authorization } })
    const payload = { x402Version: 2, accepted: requirement, payload: { signature, authorization } }
    return { header: Buffer.from(JSON.stringify(payload)).toString('base64'), authorization, signature }
  }
  const sendPaid = (call: WriteCall, payment: Payment) =>
    send({ ...call, headers: { ...call.headers, 'PAYMENT-SIGNATURE': payment.header } })
  return {
    account,
    send,
    challenge,
    sign,
    sendPaid,
    get: async (path, headers = {}) => await toReply(await fetch(`${baseUrl}/api${path}`, { headers })),
    pay: async (call) => await sendPaid(call, await sign(await challenge(call))),
    payBound: async (call) => {
      const requirement = await challenge(call)
      return await sendPaid(call, await sign(requirement, { nonce: boundNonce(requirement, toNamed(call)) }))
    },
    nonceOf: async (call) => boundNonce(await challenge(call), toNamed(call)),
    proofOf: async (call, payment) => await paymentProof(account, payment, toNamed(call)),
  }
}

/** A call with the fields that name it to its payer. */
function toNamed({ path, key, body }: WriteCall): NamedRequest {
  return { path: `/api${path}`, key, ...(body !== undefined && { body: JSON.stringify(body) }) }
}

/** A random key of the client. */
export function aKey(): string {
  return crypto.randomUUID()
}

async function toReply(response: Response): Promise<Reply> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

function hostSeconds(): bigint {
  return BigInt(Math.floor(Date.now() / 1000))
}
