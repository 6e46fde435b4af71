import { type Address, getAddress, type Hex } from 'viem'
import { transferTypedData } from '../../../protocol/signed/transfer-authorization.ts'
import type { Account } from '../account/account.ts'
import type { Deployment } from '../deployment/deployment.ts'
import type { Challenge } from './challenge.ts'
import { encodePaymentSignature } from './x402.ts'

/** The longest that the service lets a payment be valid for is 600 s; stock clients use 300. Seconds. */
export const VALID_SECONDS = 300
/** The service takes no payment that ends sooner than this. Seconds. */
export const LEAST_VALID_SECONDS = 30

/** An ERC-3009 transfer: amount in base units, end in Unix seconds. It is valid from the beginning of time. */
export interface Authorization {
  to: Address
  value: bigint
  validBefore: number
  nonce: Hex
}

/** The fields of an authorization as they are sent, decimal strings. */
export function authorizationFields(from: Address, { to, value, validBefore, nonce }: Authorization) {
  const amounts = { value: value.toString(), validAfter: '0', validBefore: String(validBefore) }
  return { from: getAddress(from), to: getAddress(to), ...amounts, nonce }
}

/** Signs a transfer in the domain of the deployment's USDC. @throws SigningError */
export function signTransfer(account: Account, deployment: Deployment, transfer: Authorization): Promise<Hex> {
  const message = authorizationFields(account.address, transfer)
  return account.signTypedData({ ...transferTypedData(deployment), message })
}

/** Signs a payment; the value of `PAYMENT-SIGNATURE`. @throws SigningError */
export async function signPayment(
  account: Account,
  deployment: Deployment,
  { challenge, authorization }: { challenge: Challenge; authorization: Authorization },
): Promise<string> {
  const signature = await signTransfer(account, deployment, authorization)
  const payload = { signature, authorization: authorizationFields(account.address, authorization) }
  const { resource } = challenge.required
  return encodePaymentSignature({ x402Version: 2, resource, accepted: challenge.accepted, payload })
}

/**
 * Signs a payment that was sent before again: the same authorization, which proves its payer and is no second payment. The
 * value of `PAYMENT-SIGNATURE`. @throws SigningError
 */
export async function signSamePayment(
  account: Account,
  deployment: Deployment,
  { value, validBefore, nonce }: { value: string; validBefore: number; nonce: Hex },
): Promise<string> {
  const { chainId, usdc: asset, forwarder: payTo } = deployment
  const authorization = { to: payTo, value: BigInt(value), validBefore, nonce }
  const signature = await signTransfer(account, deployment, authorization)
  const network = `eip155:${chainId}` as const
  const accepted = {
    scheme: 'exact',
    network,
    asset,
    payTo,
    amount: value,
    maxTimeoutSeconds: VALID_SECONDS,
    extra: {},
  }
  const payload = { signature, authorization: authorizationFields(account.address, authorization) }
  return encodePaymentSignature({ x402Version: 2, accepted, payload })
}
