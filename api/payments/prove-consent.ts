import type { Hex } from 'viem'
import type { Chain } from '../chain/chain.ts'
import type { PaymentAuthorization } from './authorization.ts'
import { boundNonceOf } from './payment-request-text.ts'

/** A contract wallet's signature may be longer than an account's 65 bytes; this bounds what a header can ask for. */
const MAX_PROOF_BYTES = 1024

/** How a payment names its request: by its nonce, by the header, or not at all; `wrong`: its header does not verify. */
export type ConsentProof = 'nonce' | 'header' | 'none' | 'wrong'

/**
 * Finds out whether the payer meant this very request. What an x402 client signs (receiver, value, window, a nonce)
 * names no server and no resource: another shop can present its customer's payment here. Read-identity headers prove
 * nothing here: they are the same bytes for every request.
 *
 * @param texts the spellings of the request's text, of which one is enough
 * @param header value of the payment-proof header; undefined without one
 * @throws ChainUnavailable when a contract wallet cannot be asked
 */
export async function proveConsent(
  chain: Pick<Chain, 'verifyMessage'>,
  payment: PaymentAuthorization,
  { texts, header }: { texts: readonly string[]; header: string | undefined },
): Promise<ConsentProof> {
  if (header !== undefined) {
    const signature = parseProof(header)
    if (signature === null) return 'wrong'
    for (const text of texts) {
      const message = `${text}:${payment.nonce}`
      if (await chain.verifyMessage({ address: payment.from, message, signature })) return 'header'
    }
    return 'wrong'
  }
  return texts.some((text) => boundNonceOf(text) === payment.nonce) ? 'nonce' : 'none'
}

function parseProof(header: string): Hex | null {
  const text = header.trim()
  if (text.length > 2 + 2 * MAX_PROOF_BYTES || !/^0x(?:[0-9a-f]{2})+$/i.test(text)) return null
  return text.toLowerCase() as Hex
}
