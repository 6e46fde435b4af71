import type { Address, Hex } from 'viem'
import { type SignedText, toSignedMessage } from '../../protocol/signed/signed-text.ts'
import { NOT_DEPLOYED, type SignatureChain, takeSignature } from '../chain/take-signature.ts'
import type { Config } from '../config.ts'
import { ServiceError } from '../errors/service-error.ts'

/**
 * Checks that the account `address` has signed the message `<service>:<text>` (EIP-191). The account is a key or a
 * contract wallet.
 * @throws ServiceError 403 if the signature is wrong; the error contains the message to sign
 * @throws ChainUnavailable if a contract wallet cannot be called
 */
export async function checkSignedText(
  { chain, config }: { chain: SignatureChain; config: Pick<Config, 'SERVICE_NAME'> },
  { address, text, signature }: { address: Address; text: SignedText; signature: Hex },
): Promise<void> {
  const message = toSignedMessage(config.SERVICE_NAME, text)
  const { problem } = await takeSignature(chain, { address, message, signature })
  if (problem === undefined) return
  const sentence =
    problem === 'wallet_not_deployed'
      ? NOT_DEPLOYED
      : `The signature is not the wallet’s (EIP-191) over \`${message}\`.`
  throw new ServiceError(403, 'unclassified', sentence, { detail: problem })
}
