import { type Address, type Hex, parseErc6492Signature } from 'viem'
import { isSignedByKey } from './key-signature.ts'

/**
 * The last 32 bytes of an ERC-6492 envelope. The envelope contains the inner signature and the call that deploys the
 * wallet.
 */
const ENVELOPE_END = '6492'.repeat(16)
/** The form of a key's signature: 32 bytes r, 32 bytes s and one optional byte v. */
const KEY_SIGNATURE = /^0x([0-9a-f]{64})([0-9a-f]{64})(00|01|1b|1c)?$/i
/** The bit of `s` that contains the parity in a 64-byte signature (EIP-2098). */
const PARITY_BIT = 1n << 255n

/** A signature without an ERC-6492 envelope. The account's key or wallet contract verifies this signature. */
export interface UsableSignature {
  signature: Hex
  /** True if the signature arrived in an ERC-6492 envelope. Such a signature is refused for an account without code. */
  isWrapped: boolean
}

/**
 * Removes an ERC-6492 envelope. The call in the envelope is not executed. A signature without an envelope is returned
 * unchanged.
 */
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
 * Returns a key's signature in the on-chain form: 65 bytes with `v` 27 or 28. Null if the bytes are not a key's
 * signature. Example: `0x…00` becomes `0x…1b`, and 64 bytes (EIP-2098) become 65.
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
 * Returns the signature in the form that is checked, stored and sent. An ERC-6492 envelope is removed. A signature by
 * the key of `address` is converted to 65 bytes with `v` 27 or 28. All other signatures are unchanged: only the wallet
 * contract can interpret their bytes.
 * @param digest returns the signed digest; it is called only if needed
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

/** Returns a canonical string of a signature. All forms of a signature have the same string. */
export function toComparedSignature(signature: string): string {
  const { signature: inner } = unwrapSignature(signature as Hex)
  return toKeyForm(inner) ?? inner
}
