import { recover } from 'tiny-secp256k1'
import { type Address, bytesToHex, type Hex, hexToBytes, isAddressEqual } from 'viem'
import { publicKeyToAddress } from 'viem/accounts'

/**
 * The largest `s` that the contracts accept: half of the curve order. A larger `s` belongs to the malleable variant of
 * a valid signature.
 */
const LARGEST_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n
/** The form of an accepted signature: 65 bytes with r, s, and v, where v is 27 or 28. */
const SIGNATURE = /^0x[0-9a-f]{128}(1b|1c)$/i
/** The position of `s` in a signature's hex string, after `0x` and `r`. */
const S_AT = 66

/** Returns true if the key of `address` signed this digest. Returns false also for a malformed signature. */
export function isSignedByKey(address: Address, digest: Hex, signature: Hex): boolean {
  if (!SIGNATURE.test(signature)) return false
  if (BigInt(`0x${signature.slice(S_AT, S_AT + 64)}`) > LARGEST_S) return false
  const signer = recoverSigner(hexToBytes(digest), hexToBytes(signature))
  return signer !== null && isAddressEqual(signer, address)
}

/** Recovers the signer with libsecp256k1 in WebAssembly. JavaScript would take seven times as long (decision 31). */
function recoverSigner(digest: Uint8Array, signature: Uint8Array): Address | null {
  try {
    const recoveryId = signature[64] === 27 ? 0 : 1
    const publicKey = recover(digest, signature.subarray(0, 64), recoveryId, false)
    return publicKey === null ? null : publicKeyToAddress(bytesToHex(publicKey))
  } catch {
    // r or s is 0, or not below the order of the curve.
    return null
  }
}
