import type { Address, Hex, TypedDataDefinition } from 'viem'
import { getAddress, isAddress, stringToHex } from 'viem'
import { MAX_SIGNATURE_BYTES } from '../../../protocol/text/signature-size.ts'

/** What signs: accounts of viem, and those that wallet services hand out as such. */
export interface Account {
  address: Address
  signMessage(args: { message: string }): Promise<Hex>
  signTypedData(typedData: TypedDataDefinition): Promise<Hex>
}

/** A wallet of a browser, EIP-1193. */
export interface Provider {
  request(args: { method: string; params?: unknown }): Promise<unknown>
}

/** Signing failed, or what came is no signature that the service can use. */
export class SigningError extends Error {
  override name = 'SigningError'
}

/**
 * The account with its signatures checked for their form. Those of contract wallets pass unchanged, also in an envelope of
 * ERC-6492, which the service removes where the wallet is deployed.
 */
export function checkedAccount(account: Account): Account {
  return {
    address: getAddress(account.address),
    signMessage: (args) => signWith(() => account.signMessage(args)),
    signTypedData: (typedData) => signWith(() => account.signTypedData(typedData)),
  }
}

/** A wallet may refuse in its own way, as one whose owner declines does. @throws SigningError */
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
 * The account `address` of a provider, as an account.
 * @throws SigningError when it is no address
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

/** Providers want the type of the domain spelled out. */
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
