import { type Address, getAddress, type Hex } from 'viem'
import { authorizationTypes } from '../../../protocol/signed/transfer-authorization.ts'
import { CHALLENGE_SECONDS, ends } from '../../../protocol/windows.ts'
import { type Account, SigningError } from '../account/account.ts'
import type { Deployment } from '../deployment/deployment.ts'
import type { Challenge } from './challenge.ts'
import { encodePaymentSignature } from './x402.ts'

/** The lifetime in seconds of a payment that is not bound to a call. Ordinary x402 clients use the same lifetime. */
export const VALID_SECONDS = CHALLENGE_SECONDS
/** The lifetime in seconds of a payment that is bound to its call. */
export const BOUND_VALID_SECONDS = 120
/** The minimum remaining lifetime of a payment that the service accepts, in seconds. */
export const LEAST_VALID_SECONDS = Number(ends.payment.least)

/**
 * An EIP-3009 transfer of USDC, valid from time 0. `value` is in base units of USDC, and `validBefore` in Unix seconds.
 */
export interface Authorization {
  to: Address
  value: bigint
  validBefore: number
  nonce: Hex
  /**
   * The hash of the paid request; present only in a bound payment. The nonce of a bound payment is computed from this
   * hash and the contract call. Only the receiver can submit a bound payment.
   */
  salt?: Hex
}

/** Returns the fields of an authorization as the x402 protocol sends them, with numbers as decimal strings. */
export function authorizationFields(from: Address, { to, value, validBefore, nonce }: Authorization) {
  const amounts = { value: value.toString(), validAfter: '0', validBefore: String(validBefore) }
  return { from: getAddress(from), to: getAddress(to), ...amounts, nonce }
}

/**
 * Signs an authorization in the EIP-712 domain of the deployment's USDC. If `deployment.bound` is true, only bound
 * payments are signed, else only unbound payments.
 * @throws SigningError
 */
async function signAuthorization(account: Account, deployment: Deployment, authorization: Authorization): Promise<Hex> {
  const isBound = authorization.salt !== undefined
  if (isBound !== (deployment.bound === true)) {
    throw new SigningError(
      `A payment that is ${isBound ? '' : 'not '}bound to its call is not signed for this deployment.`,
    )
  }
  const types = authorizationTypes(deployment, isBound ? 'ReceiveWithAuthorization' : 'TransferWithAuthorization')
  return await account.signTypedData({ ...types, message: authorizationFields(account.address, authorization) })
}

/**
 * Signs the payload of an x402 payment with the scheme `exact`. The payload of a bound payment contains the salt.
 * @throws SigningError
 */
async function signPayload(account: Account, deployment: Deployment, authorization: Authorization) {
  const signature = await signAuthorization(account, deployment, authorization)
  const { salt } = authorization
  return {
    signature,
    authorization: authorizationFields(account.address, authorization),
    ...(salt !== undefined && { bound: { salt } }),
  }
}

/**
 * Signs a payment and returns the value of the header `PAYMENT-SIGNATURE`.
 * @throws SigningError
 */
export async function signPayment(
  account: Account,
  deployment: Deployment,
  { challenge, authorization }: { challenge: Challenge; authorization: Authorization },
): Promise<string> {
  const payload = await signPayload(account, deployment, authorization)
  const { resource } = challenge.required
  return encodePaymentSignature({ x402Version: 2, resource, accepted: challenge.accepted, payload })
}

/**
 * Signs an earlier payment again and returns the value of the header `PAYMENT-SIGNATURE`. With the same nonce, the
 * authorization proves who paid but cannot pay twice.
 * @throws SigningError
 */
export async function signSamePayment(
  account: Account,
  deployment: Deployment,
  { value, ...rest }: { value: string } & Omit<Authorization, 'to' | 'value'>,
): Promise<string> {
  const { chainId, usdc: asset, forwarder: payTo } = deployment
  const payload = await signPayload(account, deployment, { to: payTo, value: BigInt(value), ...rest })
  const network = `eip155:${chainId}` as const
  const acceptedTerms = {
    scheme: 'exact',
    network,
    asset,
    payTo,
    amount: value,
    maxTimeoutSeconds: VALID_SECONDS,
    extra: {},
  }
  return encodePaymentSignature({ x402Version: 2, accepted: acceptedTerms, payload })
}
