import { NOT_DEPLOYED, takeSignature } from '../../chain/take-signature.ts'
import { toSignedMessage } from '../../domain/action-request.ts'
import { refuse } from '../../domain/refusal.ts'
import type { ServiceError } from '../../errors/service-error.ts'
import type { BodySignature, CheckedSignature, TextSignature, TypedDataSignature } from '../relayed-write.ts'
import type { WriteDeps } from '../write-deps.ts'
import { refused } from './admit.ts'

/**
 * Stage 5: the signature in a body, by the acting address: over a text (EIP-191), with one of the tails it may have, or
 * over typed data (EIP-712). The contracts check the same.
 * @throws ServiceError 403 `payment_preflight_rejected`
 */
export async function checkSignature(deps: WriteDeps, signed: BodySignature): Promise<CheckedSignature> {
  return 'typedData' in signed ? await checkTypedData(deps, signed) : await checkText(deps, signed)
}

async function checkText(deps: WriteDeps, signed: TextSignature): Promise<CheckedSignature> {
  const { actor, signature, text, suffixes = [''] } = signed
  const messageOf = (suffix: string) => toSignedMessage(deps.config.SERVICE_NAME, text, suffix)
  for (const suffix of suffixes) {
    const taken = await takeSignature(deps.chain, { address: actor, message: messageOf(suffix), signature })
    if (taken.problem === undefined) return { actor, signature: taken.signature, suffix }
    if (taken.problem === 'wallet_not_deployed') throw notDeployed()
  }
  const messages = suffixes.map((suffix) => `"${messageOf(suffix)}"`).join(' or ')
  throw invalidSignature(`The signature must be ${actor}’s (EIP-191) over exactly ${messages}.`)
}

async function checkTypedData(
  deps: WriteDeps,
  { actor, signature, typedData }: TypedDataSignature,
): Promise<CheckedSignature> {
  const taken = await takeSignature(deps.chain, { address: actor, typedData, signature })
  if (taken.problem === undefined) return { actor, signature: taken.signature, suffix: '' }
  if (taken.problem === 'wallet_not_deployed') throw notDeployed()
  const { primaryType, domain } = typedData
  throw invalidSignature(
    `The signature must be ${actor}’s (EIP-712) over exactly this ${primaryType} in the domain of ${domain?.verifyingContract}.`,
  )
}

function notDeployed(): ServiceError {
  return refused(refuse(403, 'wallet_not_deployed', NOT_DEPLOYED, { field: 'signature' }))
}

function invalidSignature(message: string): ServiceError {
  return refused(refuse(403, 'signature_invalid', message, { field: 'signature' }))
}
