import { secp256k1 } from '@noble/curves/secp256k1'
import { type Address, type Hex, recoverAddress, serializeTransaction, toHex } from 'viem'
import { SignerUnavailable, type UnsignedTransaction } from './relayer.ts'

/**
 * An ECDSA signature from a signer. The recovery id is missing, and `s` may be in the upper half of the curve order.
 */
export interface RawSignature {
  r: bigint
  s: bigint
}

const ORDER = secp256k1.CURVE.n

/** Returns the unsigned transaction's bytes. The signer signs their keccak256 hash. */
export function serializeUnsigned(transaction: UnsignedTransaction): Hex {
  return serializeTransaction({ ...transaction, type: 'eip1559' })
}

/**
 * Returns the signed transaction. `s` is moved to the lower half of the curve order, as the chain requires. The
 * recovery id is the one that gives `address`.
 * @throws SignerUnavailable when the signature does not recover to `address`
 */
export async function assembleSigned(
  transaction: UnsignedTransaction,
  { digest, signature: { r, s }, address }: { digest: Hex; signature: RawSignature; address: Address },
): Promise<Hex> {
  if (isScalar(r) && isScalar(s)) {
    const low = s > ORDER / 2n ? ORDER - s : s
    for (const yParity of [0, 1]) {
      const signature = { r: toHex(r, { size: 32 }), s: toHex(low, { size: 32 }), yParity }
      // Not every r is a point of the curve.
      const signer = await recoverAddress({ hash: digest, signature }).catch(() => null)
      if (signer?.toLowerCase() === address) return serializeTransaction({ ...transaction, type: 'eip1559' }, signature)
    }
  }
  throw new SignerUnavailable(`the signature is not of ${address}`)
}

function isScalar(value: bigint): boolean {
  return value > 0n && value < ORDER
}
