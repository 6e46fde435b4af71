import { type Address, type Hex, parseErc6492Signature } from 'viem'
import { isSignedByKey } from './key-signature.ts'

/** The end of an ERC-6492 envelope, which contains the inner signature and the call that would deploy its wallet. */
const ENVELOPE_END = '6492'.repeat(16)
/** Hex of 32 bytes r, 32 bytes s, and one byte v in 65-byte signatures. */
const KEY_SIGNATURE = /^0x([0-9a-f]{64})([0-9a-f]{64})(00|01|1b|1c)?$/i
/** The bit of `s` that holds the parity in 64 bytes (EIP-2098). */
const PARITY_BIT = 1n << 255n

/** A signature without its ERC-6492 envelope, as the key or the wallet contract of the account verifies it. */
export interface UsableSignature {
  signature: Hex
  /** True if the signature was received in an ERC-6492 envelope; it is then refused for an account without code. */
  isWrapped: boolean
}

/** Removes an ERC-6492 envelope without executing its call. Other bytes stay unchanged. */
export function unwrapSignature(signature: Hex): UsableSignature {
  if (!signature.toLowerCase().endsWith(ENVELOPE_END)) return { signature, isWrapped: false }
  try {
    const { signature: inner } = parseErc6492Signature(signature)
    return { signature: inner.toLowerCase() as Hex, isWrapped: true }
  } catch {
    return { signature, isWrapped: false }
  }
}

/**
 * Returns a key's signature in the on-chain form: 65 bytes, `v` 27 or 28; null for other forms. Example: `0x…00`
 * becomes `0x…1b`, and 64 bytes (EIP-2098) become 65.
 */
export function toKeyForm(signature: string): Hex | null {
  const [, r, s, v] = KEY_SIGNATURE.exec(signature) ?? []
  if (r === undefined || s === undefined) return null
  if (v !== undefined) return `0x${r}${s}${v === '00' ? '1b' : v === '01' ? '1c' : v}`.toLowerCase() as Hex
  const word = BigInt(`0x${s}`)
  const parity = word & PARITY_BIT ? '1c' : '1b'
  return `0x${r}${(word & ~PARITY_BIT).toString(16).padStart(64, '0')}${parity}`.toLowerCase() as Hex
}

/**
 * Returns the signature that is used, stored and sent: without envelope, and in the on-chain form if the key of
 * `address` made it. A wallet contract's bytes stay, because it may parse 64 bytes in its own way.
 * @param digest the signed digest; computed only where needed
 */
export function toUsableSignature({
  address,
  digest,
  signature,
}: {
  address: Address
  digest: () => Hex
  signature: Hex
}): UsableSignature {
  const { signature: inner, isWrapped } = unwrapSignature(signature)
  const keyForm = toKeyForm(inner)
  const isKeys = keyForm !== null && keyForm !== inner && isSignedByKey(address, digest(), keyForm)
  return { signature: isKeys ? keyForm : inner, isWrapped }
}

/** Returns a text that is equal for all forms of a signature. */
export function toComparedSignature(signature: string): string {
  const { signature: inner } = unwrapSignature(signature as Hex)
  return toKeyForm(inner) ?? inner
}
