import { createHash } from 'node:crypto'
import { type Hex, keccak256, type PrivateKeyAccount, stringToBytes } from 'viem'
import { localNetwork } from '../../scripts/contracts/network.ts'
import type { Payment, Requirement } from './payment.ts'

/** One request with the fields that name it to its payer. */
export interface NamedRequest {
  /** With `/api` or `/trpc`, without the query. */
  path: string
  key: string
  /** The body as sent; absent: none. */
  body?: string
  method?: string
}

/** The text that names a request to the deployment of a requirement (docs/internals/security.md). */
export function paymentTextOf(
  { network, payTo }: Pick<Requirement, 'network' | 'payTo'>,
  { path, key, body = '', method = 'POST' }: NamedRequest,
): string {
  const bodySha256 = createHash('sha256').update(body).digest('hex')
  return `service:pay:${network.split(':')[1]}:${payTo.toLowerCase()}:${method} ${path}:${key}:${bodySha256}`
}

/** Form (a): the nonce that names the request. */
export function boundNonce(requirement: Requirement, request: NamedRequest): Hex {
  return keccak256(stringToBytes(paymentTextOf(requirement, request)))
}

/** Form (b): the header for a payment of any nonce. */
export async function paymentProof(
  account: PrivateKeyAccount,
  { authorization: { to, nonce } }: Pick<Payment, 'authorization'>,
  request: NamedRequest,
): Promise<Record<string, string>> {
  const text = paymentTextOf({ network: `eip155:${localNetwork.chainId}`, payTo: to }, request)
  return { 'X-Service-Payment-Proof': await account.signMessage({ message: `${text}:${nonce}` }) }
}
