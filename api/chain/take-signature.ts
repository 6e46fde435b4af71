import { type Address, type Hex, hashMessage, hashTypedData, type TypedDataDefinition } from 'viem'
import type { AcceptanceMessage, SignedMessage } from '../../protocol/signed/signed-text.ts'
import type { Chain } from './chain.ts'
import { toUsableSignature } from './signature-forms.ts'

/** The chain requests for taking a signature. */
export type SignatureChain = Pick<Chain, 'hasCode' | 'verifyMessage' | 'verifyTypedData'>

/**
 * An account, the content it is said to have signed, and the received signature. A text has a listed purpose: a new
 * purpose joins `signedTextKinds`, so that tests try its signatures at every contract.
 */
export type SignedContent = { address: Address; signature: Hex } & (
  | { message: SignedMessage | AcceptanceMessage }
  | { typedData: TypedDataDefinition }
)

/** A valid signature in the stored form, or the reason to refuse it. */
export type TakenSignature =
  | { signature: Hex; problem?: undefined }
  | { signature?: undefined; problem: 'signature_invalid' | 'wallet_not_deployed' }

/** The sentence for a wallet whose contract has no code yet. */
export const NOT_DEPLOYED =
  'The signature is in an ERC-6492 envelope, and the account has no code: deploy the wallet, then sign and send again.'

/**
 * Takes a signature: every accepted signature passes here or, for a payment, `readPayment`. An account with code checks
 * the signature inside an ERC-6492 envelope; the envelope's factory call is never executed.
 * @throws ChainUnavailable when a contract wallet gives no answer
 */
export async function takeSignature(chain: SignatureChain, signed: SignedContent): Promise<TakenSignature> {
  const { address } = signed
  const digest = () => ('message' in signed ? hashMessage(signed.message) : hashTypedData(signed.typedData))
  const { signature, isWrapped } = toUsableSignature({ address, digest, signature: signed.signature })
  if (isWrapped && !(await chain.hasCode(address))) return { problem: 'wallet_not_deployed' }
  const isGenuine =
    'message' in signed
      ? await chain.verifyMessage({ address, message: signed.message, signature })
      : await chain.verifyTypedData({ address, typedData: signed.typedData, signature })
  return isGenuine ? { signature } : { problem: 'signature_invalid' }
}
