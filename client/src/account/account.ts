import type { Address, Hex, TypedDataDefinition } from 'viem'
import { getAddress, isAddress, stringToHex } from 'viem'
import { MAX_SIGNATURE_BYTES } from '../../../protocol/text/signature-size.ts'

/** An account that can sign: a viem account, or a wallet service's account that has the same methods. */
export interface Account {
  address: Address
  signMessage(args: { message: string }): Promise<Hex>
  signTypedData(typedData: TypedDataDefinition): Promise<Hex>
}

/** A browser wallet (EIP-1193), such as `window.ethereum`. */
export interface Provider {
  request(args: { method: string; params?: unknown }): Promise<unknown>
}

/** Thrown when the account does not sign, or when the signature has a form that the service cannot use. */
export class SigningError extends Error {
  override name = 'SigningError'
}

/**
 * Returns an account that signs with the given account, and checks the form of each signature.
 *
 * The returned account keeps an ERC-6492 envelope around a contract wallet's signature. The service removes the
 * envelope if the wallet is deployed.
 */
export function checkedAccount(account: Account): Account {
  return {
    address: getAddress(account.address),
    signMessage: (args) => signWith(() => account.signMessage(args)),
    signTypedData: (typedData) => signWith(() => account.signTypedData(typedData)),
  }
}

/**
 * Calls the wallet to sign, and checks the form of the signature.
 * @throws SigningError when the wallet rejects the request, or returns a value that is not a signature
 */
async function signWith(sign: () => Promise<unknown>): Promise<Hex> {
  let signature: unknown
  try {
    signature = await sign()
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : (cause as { message?: unknown } | null)?.message
    throw new SigningError(typeof message === 'string' && message !== '' ? message : 'The account did not sign.', {
      cause,
    })
  }
  return checkSignature(signature)
}

/**
 * Returns an account whose signatures a browser wallet makes.
 * @throws SigningError when `address` is not an address
 * @example const account = fromProvider(window.ethereum, '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65')
 */
export function fromProvider(provider: Provider, address: string): Account {
  if (!isAddress(address, { strict: false })) throw new SigningError(`${address} is no address.`)
  return {
    address: getAddress(address),
    signMessage: async ({ message }) =>
      (await provider.request({ method: 'personal_sign', params: [stringToHex(message), address] })) as Hex,
    signTypedData: async (typedData) =>
      (await provider.request({
        method: 'eth_signTypedData_v4',
        params: [address, JSON.stringify(withDomainType(typedData), toJson)],
      })) as Hex,
  }
}

function checkSignature(signature: unknown): Hex {
  if (typeof signature !== 'string' || !/^0x(?:[0-9a-f]{2})+$/i.test(signature)) {
    throw new SigningError('The account returned no signature.')
  }
  if (signature.length > 2 + 2 * MAX_SIGNATURE_BYTES) {
    throw new SigningError(`The account returned a signature of more than ${MAX_SIGNATURE_BYTES} bytes.`)
  }
  return signature as Hex
}

/** Adds the definition of the type `EIP712Domain`, which browser wallets require, to the typed data. */
function withDomainType({ types, ...rest }: TypedDataDefinition) {
  const EIP712Domain = [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ]
  return { ...rest, types: { EIP712Domain, ...types } }
}

function toJson(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value
}
