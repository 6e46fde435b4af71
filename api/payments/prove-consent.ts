import type { Hex } from 'viem'
import { requestHashOf } from '../../protocol/bound-call.ts'
import type { SignedMessage } from '../../protocol/signed/signed-text.ts'
import { MAX_SIGNATURE_BYTES } from '../../protocol/text/signature-size.ts'
import { type SignatureChain, takeSignature } from '../chain/take-signature.ts'
import type { PaymentAuthorization } from './authorization.ts'

/**
 * The way in which a payment names its request.
 * - `nonce`: the nonce is a hash of the request.
 * - `header`: the payment-proof header has the payer's valid signature of the request.
 * - `none`: the payment names no request.
 * - `wrong`: the header is malformed, or its signature is not the payer's signature of this request.
 * - `undeployed`: the header's signature belongs to a contract wallet that is not deployed yet.
 */
export type ConsentProof = 'nonce' | 'header' | 'none' | 'wrong' | 'undeployed'

/**
 * Finds out if the payer meant this request. A plain x402 payment names no server and no resource. A shop that receives
 * a payment from a customer could therefore present it here for a request of its own. Read-identity headers prove
 * nothing, because they are the same for every request.
 * @param texts the texts that name the request: one text for each spelling of the idempotency key. One match is enough
 * @param header the payment-proof header; undefined if it is absent
 * @throws ChainUnavailable when a contract wallet cannot be called
 */
export async function proveConsent(
  chain: SignatureChain,
  payment: PaymentAuthorization,
  { texts, header }: { texts: readonly SignedMessage[]; header: string | undefined },
): Promise<ConsentProof> {
  if (header !== undefined) {
    const signature = parseProof(header)
    if (signature === null) return 'wrong'
    for (const text of texts) {
      const message: SignedMessage = `${text}:${payment.nonce}`
      const { problem } = await takeSignature(chain, { address: payment.from, message, signature })
      if (problem === undefined) return 'header'
      if (problem === 'wallet_not_deployed') return 'undeployed'
    }
    return 'wrong'
  }
  return texts.some((text) => requestHashOf(text) === payment.nonce) ? 'nonce' : 'none'
}

function parseProof(header: string): Hex | null {
  const text = header.trim()
  if (text.length > 2 + 2 * MAX_SIGNATURE_BYTES || !/^0x(?:[0-9a-f]{2})+$/i.test(text)) return null
  return text.toLowerCase() as Hex
}
