import { type Address, type Hex, isHex } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import type { SignerPlace } from '../../../settings/signer-urls.ts'
import { exchangeHttp } from './exchange-http.ts'
import { SignerUnavailable } from './relayer.ts'
import type { RemoteKey } from './remote-key.ts'

const SERVER = 'web3signer'
/** The number of hex digits of a public key without its first byte, as web3signer writes keys. */
const KEY_DIGITS = 128

/**
 * Opens a key of a web3signer in its mode `eth1`. The key is found by its address in the web3signer's list of public
 * keys. The web3signer hashes the message itself, so the service sends the unsigned transaction.
 * @throws SignerUnavailable if the web3signer does not answer or does not have the key
 */
export async function openWeb3signer(
  { url, address, authorization }: Extract<SignerPlace, { kind: 'web3signer' }>,
  signal: AbortSignal,
): Promise<RemoteKey> {
  const headers: Record<string, string> = authorization === null ? {} : { Authorization: authorization }
  const list = await exchangeHttp({ server: SERVER, url: `${url}/api/v1/eth1/publicKeys`, headers }, signal)
  const identifier = parseKeys(list).find((key) => addressOf(key) === address)
  if (identifier === undefined) throw new SignerUnavailable(`${SERVER} does not have the key of ${address}`)
  return {
    kind: 'web3signer',
    address,
    requestSignature: async ({ unsigned }, until) => {
      const request = {
        server: SERVER,
        url: `${url}/api/v1/eth1/sign/${identifier}`,
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ data: unsigned }),
      } as const
      return parseSignature(await exchangeHttp(request, until))
    },
  }
}

function parseKeys(text: string): Hex[] {
  try {
    const keys: unknown = JSON.parse(text)
    if (Array.isArray(keys)) return keys.filter((key) => isHex(key))
  } catch {
    // The error is thrown below.
  }
  throw new SignerUnavailable(`${SERVER} answered no list of keys`)
}

/** Returns the address of a public key. Null if the key does not have the length of an uncompressed public key. */
function addressOf(key: Hex): Address | null {
  const digits = key.slice(2).replace(/^04(?=.{128}$)/, '')
  return digits.length === KEY_DIGITS ? (publicKeyToAddress(`0x04${digits}`).toLowerCase() as Address) : null
}

/**
 * Parses a signature in hex: `r`, `s` and one ignored byte. Some versions of web3signer put the signature in quotes.
 */
function parseSignature(text: string) {
  const [, r, s] = /^"?0x([0-9a-fA-F]{64})([0-9a-fA-F]{64})[0-9a-fA-F]{2}"?$/.exec(text.trim()) ?? []
  if (r === undefined || s === undefined) throw new SignerUnavailable(`${SERVER} answered no signature`)
  return { r: BigInt(`0x${r}`), s: BigInt(`0x${s}`) }
}
