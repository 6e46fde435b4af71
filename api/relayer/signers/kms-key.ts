import { createPublicKey } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1'
import type { Address, Hex } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'
import type { RawSignature } from './assemble-signed.ts'
import { SignerUnavailable } from './relayer.ts'

/**
 * Returns the address of a KMS public key, given as SubjectPublicKeyInfo in DER or PEM.
 * @throws SignerUnavailable if the key is not on the curve secp256k1
 */
export function addressOfSpki(server: string, key: Buffer | string): Address {
  try {
    const object = createPublicKey(typeof key === 'string' ? key : { key, format: 'der', type: 'spki' })
    const { crv, x = '', y = '' } = object.export({ format: 'jwk' })
    if (crv === 'secp256k1') {
      const point = [x, y].map((text) => Buffer.from(text, 'base64url').toString('hex').padStart(64, '0'))
      return publicKeyToAddress(`0x04${point.join('')}`).toLowerCase() as Address
    }
  } catch {
    // The error is thrown below.
  }
  throw new SignerUnavailable(`the key of ${server} is not of secp256k1`)
}

/**
 * Parses the base64 text of a KMS signature (DER) into `r` and `s`.
 * @throws SignerUnavailable
 */
export function parseDerSignature(server: string, text: string): RawSignature {
  try {
    const { r, s } = secp256k1.Signature.fromDER(new Uint8Array(Buffer.from(text, 'base64')))
    return { r, s }
  } catch (cause) {
    throw new SignerUnavailable(`${server} answered a signature that is no DER`, { cause })
  }
}

/** Returns a digest in base64, as AWS and Google expect it. */
export function toBase64(digest: Hex): string {
  return Buffer.from(digest.slice(2), 'hex').toString('base64')
}
