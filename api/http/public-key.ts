import { ECDH } from 'node:crypto'
import type { Hex } from 'viem'
import { z } from 'zod'

/**
 * A schema for a compressed secp256k1 key: 33 bytes of hex, with or without 0x. The bytes must be a point of the curve.
 * The result is lower-case hex with 0x.
 */
export const compressedPublicKey = z
  .string()
  .regex(/^(?:0x)?0[23][0-9a-fA-F]{64}$/, { error: 'must be a compressed secp256k1 key: 33 bytes of hex', abort: true })
  .transform((text) => `0x${text.replace(/^0x/, '').toLowerCase()}` as Hex)
  .refine(isOnCurve, { error: 'must be a point of secp256k1' })

/** A compressed public key in an answer: 66 hex digits without 0x. */
export const publicKeyOut = z.string().regex(/^0[23][0-9a-f]{64}$/)

function isOnCurve(key: string): boolean {
  try {
    ECDH.convertKey(key.slice(2), 'secp256k1', 'hex', 'hex', 'compressed')
    return true
  } catch {
    return false
  }
}
