import { type Hex, toHex } from 'viem'
import { boundNonceOf, requestHashOf } from '../../../protocol/bound-call.ts'
import { encodeCall, normalise, type OperationName } from '../../../protocol/derive.ts'
import type { ContractCall } from '../../../protocol/relay.ts'
import { authorizationTypes } from '../../../protocol/signed/transfer-authorization.ts'
import type { Actor } from '../../support/actors.ts'
import type { Answer, TestApi } from '../../support/api.ts'
import type { Requirement } from '../../support/payment.ts'
import { paymentTextOf } from '../../support/payment-text.ts'
import { START } from '../../support/rows/insert-row.ts'

/** A request with a payment that is bound to a call. */
export interface BoundRequest {
  payer: Actor
  path: string
  body: Record<string, unknown>
  /** The call that the payer signs. */
  call: ContractCall
  key?: string
  /** Changes the request that the salt names. */
  salt?: (salt: Hex) => Hex
  /** The form that is signed. Default: the one that only the receiver can submit. */
  form?: 'TransferWithAuthorization' | 'ReceiveWithAuthorization'
}

/** The answer to a bound request, with its payment. */
export interface BoundAnswer extends Answer {
  key: string
  salt: Hex
  nonce: Hex
  /** Value of PAYMENT-SIGNATURE. */
  header: string
}

/** Sends both rounds of a paid write, the second with a payment for `call` alone. */
export async function sendBound(api: TestApi, request: BoundRequest): Promise<BoundAnswer> {
  const { payer, path, body, call, key = crypto.randomUUID(), form = 'ReceiveWithAuthorization' } = request
  const { deployment } = api.deps
  const post = (headers: Record<string, string>) =>
    api.post(path, body, { 'X-Service-Idempotency-Key': key, ...headers })
  const { body: asked } = await post({})
  const requirement: Requirement = asked.accepts[0]
  const text = paymentTextOf(requirement, { path, key, body: JSON.stringify(body) })
  const salt = (request.salt ?? ((own) => own))(requestHashOf(text))
  const nonce = boundNonceOf(call, { ...deployment, salt })
  const message = {
    from: payer.account.address,
    to: deployment.forwarder,
    value: BigInt(requirement.amount),
    validAfter: 0n,
    validBefore: START + 120n,
    nonce,
  }
  const signature = await payer.account.signTypedData({ ...authorizationTypes(deployment, form), message } as never)
  const authorization = { ...message, value: requirement.amount, validAfter: '0', validBefore: String(START + 120n) }
  const payload = { x402Version: 2, accepted: requirement, payload: { signature, authorization, bound: { salt } } }
  const header = Buffer.from(JSON.stringify(payload)).toString('base64')
  return { ...(await post({ 'PAYMENT-SIGNATURE': header })), key, salt, nonce, header }
}

/** The call of a request of the table, for facts as a client reads them. */
export function callOf<Name extends OperationName>(
  api: TestApi,
  name: Name,
  { request, actor, facts = {} }: { request: Record<string, unknown>; actor: Hex; facts?: Record<string, unknown> },
): ContractCall {
  const context = { deployment: api.deps.deployment, actor, facts }
  return encodeCall(name, normalise(name, request as never), context as never)
}

/** A salt for a document. */
export function aDocumentSalt(): Hex {
  return toHex(crypto.getRandomValues(new Uint8Array(32)))
}
