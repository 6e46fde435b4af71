import { type Address, type Hex, hashMessage, hashTypedData, type TypedDataDefinition } from 'viem'
import type { AcceptanceMessage, SignedMessage } from '../../protocol/signed/signed-text.ts'
import type { Chain } from './chain.ts'
import { toUsableSignature } from './signature-forms.ts'

/** The functions of the chain port that `takeSignature` uses. */
export type SignatureChain = Pick<Chain, 'hasCode' | 'verifyMessage' | 'verifyTypedData'>

/**
 * A signature that a client sent, with the account that is said to have signed and the signed content. Each kind of
 * signed text must have an entry in `signedTextKinds`.
 */
export type SignedContent = { address: Address; signature: Hex } & (
  | { message: SignedMessage | AcceptanceMessage }
  | { typedData: TypedDataDefinition }
)

/** A valid signature in the stored form, or the reason of the refusal. */
export type TakenSignature =
  | { signature: Hex; problem?: undefined }
  | { signature?: undefined; problem: 'signature_invalid' | 'wallet_not_deployed' }

/** The error message for a wallet whose contract is not deployed yet. */
export const NOT_DEPLOYED =
  'The signature is in an ERC-6492 envelope, and the account has no code: deploy the wallet, then sign and send again.'

/**
 * Checks a signature and returns the signature in the stored form. An ERC-6492 envelope is removed, and the deployment
 * call in the envelope is never executed. Payments are checked in `readPayment` instead.
 * @throws ChainUnavailable when the node gives no answer about a contract wallet
 */
export async function takeSignature(chain: SignatureChain, content: SignedContent): Promise<TakenSignature> {
  const { address } = content
  const digest = () => ('message' in content ? hashMessage(content.message) : hashTypedData(content.typedData))
  const { signature, isWrapped } = toUsableSignature({ address, digest, signature: content.signature })
  if (isWrapped && !(await chain.hasCode(address))) return { problem: 'wallet_not_deployed' }
  const isGenuine =
    'message' in content
      ? await chain.verifyMessage({ address, message: content.message, signature })
      : await chain.verifyTypedData({ address, typedData: content.typedData, signature })
  return isGenuine ? { signature } : { problem: 'signature_invalid' }
}
