import { type Address, getAddress } from 'viem'

/**
 * Forms of an ERC-3009 authorization. Any account may submit a transfer; only the receiver may submit the other form, which bound
 * payments have.
 */
export type AuthorizationForm = 'TransferWithAuthorization' | 'ReceiveWithAuthorization'

/** The struct of both forms in the token's order. */
const fields = [
  { name: 'from', type: 'address' },
  { name: 'to', type: 'address' },
  { name: 'value', type: 'uint256' },
  { name: 'validAfter', type: 'uint256' },
  { name: 'validBefore', type: 'uint256' },
  { name: 'nonce', type: 'bytes32' },
] as const

/** The chain and the token of an authorization. */
export interface UsdcPlace {
  chainId: number
  usdc: Address
  /** The name and version of its EIP-712 domain: USDC of Base is `USD Coin`, version 2, that of Base Sepolia `USDC`. */
  usdcDomain: { name: string; version: string }
}

/**
 * Returns the typed data (EIP-712) of an authorization, without its message.
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
 * Returns the typed data (EIP-712) of an authorized transfer of USDC, without its message, which is the authorization. Plain
 * payments and withdrawals are such transfers, and a challenge shows it.
 *
 * Example: `signTypedData({ ...transferTypedData(deployment), message: { from, to, value: 5_000_000n, ... } })`.
 */
export function transferTypedData(place: UsdcPlace) {
  return authorizationTypes(place, 'TransferWithAuthorization')
}
