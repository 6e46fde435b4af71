import { type Address, getAddress } from 'viem'

/**
 * The forms of an ERC-3009 authorization. `TransferWithAuthorization`: any account may submit the authorization.
 * `ReceiveWithAuthorization`: only the receiver of the tokens may submit the authorization. Bound payments use
 * `ReceiveWithAuthorization`.
 */
export type AuthorizationForm = 'TransferWithAuthorization' | 'ReceiveWithAuthorization'

/**
 * The fields of a signed ERC-3009 authorization, in the order that USDC requires. The fields are the same for both
 * values of `AuthorizationForm`.
 */
const fields = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

/** The chain and the USDC contract for which an authorization is signed. */
export interface UsdcPlace {
  chainId: number
  usdc: Address
  /**
   * Name and version of the token's EIP-712 domain. The name is `USD Coin` on Base and `USDC` on Base Sepolia. The
   * version is 2.
   */
  usdcDomain: { name: string; version: string }
}

/**
 * Returns the typed data (EIP-712) of an authorization in the given form, without the message. The caller adds the
 * message.
 * Example: `{ ...authorizationTypes(deployment, 'ReceiveWithAuthorization'), message }`.
 */
export function authorizationTypes<Form extends AuthorizationForm>(
  { chainId, usdc, usdcDomain: { name, version } }: UsdcPlace,
  form: Form,
) {
  return {
    domain: { name, version, chainId, verifyingContract: getAddress(usdc) },
    types: { [form]: fields } as { readonly [Name in Form]: typeof fields },
    primaryType: form,
  } as const
}

/**
 * Returns the typed data (EIP-712) of a USDC transfer that any account may submit. The caller adds the authorization as
 * the message. Plain payments, withdrawals and the payment challenge use this form.
 *
 * Example: `signTypedData({ ...transferTypedData(deployment), message: { from, to, value: 5_000_000n, ... } })`.
 */
export function transferTypedData(place: UsdcPlace) {
  return authorizationTypes(place, 'TransferWithAuthorization')
}
