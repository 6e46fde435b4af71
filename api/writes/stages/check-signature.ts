import { toSignedMessage } from '../../domain/action-request.ts'
import { refuse } from '../../domain/refusal.ts'
import type { BodySignature, CheckedSignature } from '../define-write.ts'
import type { WriteDeps } from '../write-deps.ts'
import { refused } from './admit.ts'

/**
 * Stage 5: the signature in a body, EIP-191 over `<service>:<verb>:<taskId><suffix>` by the acting address, with one of
 * the tails it may have. The forwarder rebuilds and checks the same message.
 * @throws ServiceError 403 `payment_preflight_rejected`
 */
export async function checkSignature(deps: WriteDeps, signed: BodySignature): Promise<CheckedSignature> {
  const { actor, signature, verb, taskId, suffixes = [''] } = signed
  const messageOf = (suffix: string) => toSignedMessage(deps.config.SERVICE_NAME, { verb, taskId, suffix })
  for (const suffix of suffixes) {
    const message = messageOf(suffix)
    if (await deps.chain.verifyMessage({ address: actor, message, signature })) return { actor, signature, suffix }
  }
  const messages = suffixes.map((suffix) => `"${messageOf(suffix)}"`).join(' or ')
  throw refused(
    refuse(403, 'signature_invalid', `The signature must be ${actor}’s (EIP-191) over exactly ${messages}.`, {
      field: 'signature',
    }),
  )
}
