import { type Address, type Hex, hashMessage, hashTypedData, type TypedDataDefinition } from 'viem'
import type { AcceptanceMessage, SignedMessage } from '../../protocol/signed/signed-text.ts'
import type { Chain } from './chain.ts'
import { toUsableSignature } from './signature-forms.ts'

/** Questions to the chain that taking a signature needs. */
export type SignatureChain = Pick<Chain, 'hasCode' | 'verifyMessage' | 'verifyTypedData'>

/**
 * An account, what it is said to have signed, and the signature as it came. A text is of a listed purpose: one of a new purpose
 * joins `signedTextKinds`, and so the table of signatures that tests try at every contract.
 */
export type SignedContent = { address: Address; signature: Hex } & (
  | { message: SignedMessage | AcceptanceMessage }
  | { typedData: TypedDataDefinition }
)

/** A signature that holds, in the form that is stored and sent; or the reason to refuse it. */
export type TakenSignature =
  | { signature: Hex; problem?: undefined }
  | { signature?: undefined; problem: 'signature_invalid' | 'wallet_not_deployed' }

/** The sentence for a wallet whose contract has no code yet. */
export const NOT_DEPLOYED =
  'The signature is in an ERC-6492 envelope, and the account has no code: deploy the wallet, then sign and send again.'

/**
 * Takes a signature: every one that the service accepts passes here or, of a payment, `readPayment`. An account with code is
 * asked about the signature inside an ERC-6492 envelope; the envelope's factory call is never executed.
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
