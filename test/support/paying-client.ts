import { type Hex, type PrivateKeyAccount, toHex } from 'viem'
import { boundNonceOf } from '../../protocol/bound-call.ts'
import type { ContractCall } from '../../protocol/relay.ts'
import type { Authorization, Payment, Requirement } from './payment.ts'
import { boundNonce, type NamedRequest, paymentProof } from './payment-text.ts'

/** The form of an authorization that only its receiver can submit. */
const RECEIVE = 'ReceiveWithAuthorization'

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
  /** Signs the requirement for one call of the contracts alone, so that it pays for this request and nothing else. */
  signBound(call: WriteCall, bound: BoundSigning): Promise<Payment>
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

/** What a bound payment is signed over. */
export interface BoundSigning {
  requirement: Requirement
  /** The call that the service makes of the request. */
  boundTo: ContractCall
  changes?: Partial<Authorization>
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
  const authorize = (requirement: Requirement, changes: Partial<Authorization>): Authorization => ({
    from: account.address,
    to: requirement.payTo,
    value: requirement.amount,
    validAfter: '0',
    validBefore: String(now() + BigInt(requirement.maxTimeoutSeconds)),
    nonce: toHex(crypto.getRandomValues(new Uint8Array(32))),
    ...changes,
  })
  const toPayment = (accepted: Requirement, payload: Omit<Payment, 'header'> & { bound?: { salt: Hex } }): Payment => {
    const header = Buffer.from(JSON.stringify({ x402Version: 2, accepted, payload })).toString('base64')
    const { authorization, signature } = payload
    return { header, authorization, signature }
  }
  const sign = async (requirement: Requirement, changes: Partial<Authorization> = {}): Promise<Payment> => {
    const authorization = authorize(requirement, changes)
    const signature = await account.signTypedData({ ...requirement.extra.eip712, message: { ...authorization } })
    return toPayment(requirement, { signature, authorization })
  }
  const signBound = async (call: WriteCall, { requirement, boundTo, changes = {} }: BoundSigning): Promise<Payment> => {
    const { payTo, network, extra } = requirement
    const salt = boundNonce(requirement, toNamed(call))
    const place = { chainId: Number(network.split(':')[1]), forwarder: payTo }
    const authorization = authorize(requirement, { nonce: boundNonceOf(boundTo, { ...place, salt }), ...changes })
    const { domain, types, primaryType } = extra.eip712
    const receive: Requirement['extra']['eip712'] = {
      domain,
      types: { [RECEIVE]: types[primaryType] ?? [] },
      primaryType: RECEIVE,
    }
    const signature = await account.signTypedData({ ...receive, message: { ...authorization } })
    return toPayment(requirement, { signature, authorization, bound: { salt } })
  }
  const sendPaid = (call: WriteCall, payment: Payment) =>
    send({ ...call, headers: { ...call.headers, 'PAYMENT-SIGNATURE': payment.header } })
  return {
    account,
    send,
    challenge,
    sign,
    signBound,
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
