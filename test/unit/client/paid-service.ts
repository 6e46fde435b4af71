import type { IncomingMessage } from 'node:http'
import { listen } from './listen.ts'

const address = (digits: string) => `0x${digits.repeat(20)}` as const

/** A deployment that is on no chain. */
export const testDeployment = {
  chainId: 8453,
  market: address('a1'),
  forwarder: address('b2'),
  usdc: address('c3'),
  usdcDomain: { name: 'USD Coin', version: '2' },
  local: false,
}

/** A payment as a request had it. */
export interface TakenPayment {
  key: string
  nonce: string
  validBefore: number
  signature: string
}

/** A service that creates a task for each payment; USDC takes each nonce once. */
export interface PaidService {
  url: string
  payments: TakenPayment[]
  /** The payments that USDC could carry out all, each in its time. */
  tasks(): string[]
  stop(): void
}

/** The host that a service behind a proxy names as its own. */
export const OWN_HOST = 'market.example'

/**
 * @param options `isBehindProxy`: it has another host than its URL, so that each read identity is anonymous, and only a
 *   payment that it has taken shows its record; `amount`: the price, base units; `onPaid` runs before a paid request is answered: true cuts the
 *   connection
 */
export async function startPaidService({
  amount,
  isBehindProxy = false,
  onPaid = () => false,
  done,
}: {
  amount: bigint
  isBehindProxy?: boolean
  onPaid?: (payment: TakenPayment) => boolean | Promise<boolean>
  /** The answer to each paid request, for which no payment is taken: there is nothing to do. */
  done?: object
}): Promise<PaidService> {
  const payments: TakenPayment[] = []
  const { url, stop } = await listen(async (request, response) => {
    for await (const _ of request);
    const payment = readPayment(request)
    const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
    if (request.method === 'GET') {
      const key = new URL(request.url ?? '', url).searchParams.get('idempotencyKey')
      const isShown = payments.some((taken) => taken.key === key && (!isBehindProxy || taken.nonce === payment?.nonce))
      const docs = `https://${OWN_HOST}/docs/errors/intent_unreadable`
      if (isShown) answer(200, { status: 'completed', txHash: aHash, taskId: aHash })
      else answer(404, { error: 'No intent.', service: { reason: 'intent_not_found', ...(isBehindProxy && { docs }) } })
      return
    }
    const sentKey = request.headers['x-service-idempotency-key']
    if (isBehindProxy && payments.some(({ key }) => key === sentKey)) {
      const service = { reason: 'idempotency_key_reused', intentStatus: 'completed', txHash: aHash }
      answer(409, { error: 'A write under this key is completed already.', service })
      return
    }
    if (payment === null) {
      answer(402, { error: 'Pay.' }, { 'PAYMENT-REQUIRED': challengeHeader(url, amount) })
      return
    }
    if (done !== undefined) return void answer(200, done)
    payments.push(payment)
    if (await onPaid(payment)) request.socket.destroy()
    else answer(200, { success: true, taskId: aHash, txHash: aHash })
  })
  return {
    url,
    payments,
    tasks: () => [...new Set(payments.map(({ nonce }) => nonce))],
    stop,
  }
}

const aHash = `0x${'ab'.repeat(32)}`

/** The value of `PAYMENT-REQUIRED` for an amount in base units. */
export function challengeHeader(url: string, amount: bigint): string {
  const { usdc, forwarder } = testDeployment
  const exact = {
    scheme: 'exact',
    network: 'eip155:8453',
    asset: usdc,
    payTo: forwarder,
    amount: amount.toString(),
    maxTimeoutSeconds: 300,
    extra: { name: 'USD Coin', version: '2' },
  }
  const required = { x402Version: 2, resource: { url }, accepts: [exact] }
  return Buffer.from(JSON.stringify(required)).toString('base64')
}

function readPayment({ headers }: IncomingMessage): TakenPayment | null {
  const header = headers['payment-signature']
  if (typeof header !== 'string') return null
  const { payload } = JSON.parse(Buffer.from(header, 'base64').toString()) as {
    payload: { signature: string; authorization: { nonce: string; validBefore: string } }
  }
  const { nonce, validBefore } = payload.authorization
  const key = String(headers['x-service-idempotency-key'])
  return { key, nonce, validBefore: Number(validBefore), signature: payload.signature }
}
