import { type Address, type Hex, parseErc6492Signature } from 'viem'
import { isSignedByKey } from './key-signature.ts'

/** Ends a signature in an envelope of ERC-6492: inner signature, and the call that would deploy its wallet. */
const ENVELOPE_END = '6492'.repeat(16)
/** Bytes of hex: 32 of r, then 32 of s, and one of v where there are 65. */
const KEY_SIGNATURE = /^0x([0-9a-f]{64})([0-9a-f]{64})(00|01|1b|1c)?$/i
/** The bit of `s` that holds the parity in 64 bytes (EIP-2098). */
const PARITY_BIT = 1n << 255n

/** A signature as its account checks it. */
export interface UsableSignature {
  signature: Hex
  /** It came in an envelope of ERC-6492, which an account without code must not use. */
  isWrapped: boolean
}

/** Removes an envelope of ERC-6492. The call in it is never executed. What cannot be read as one is left as it is. */
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
 * A signature in the form in which a key's is checked on chain: 65 bytes, `v` 27 or 28; null when it has no such form.
 * `0x…00` becomes `0x…1b`, and 64 bytes (EIP-2098) become 65.
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
 * The signature that is used, stored and sent: without its envelope, and in the form of a key's where the key of
 * `address` made it. A wallet contract's bytes stay as they are: it may read 64 bytes in its own way.
 * @param digest what was signed; computed only where it is needed
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

/** A text by which equal signatures are found equal, whatever form they came in. */
export function toComparedSignature(signature: string): string {
  const { signature: inner } = unwrapSignature(signature as Hex)
  return toKeyForm(inner) ?? inner
}
