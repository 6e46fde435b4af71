import type { Deps } from '../../deps.ts'
import { refuse } from '../../domain/refusal.ts'
import type { BodySignature } from '../define-write.ts'
import { refused } from './admit.ts'

/**
 * The signature in a body: EIP-191 over `<service>:<verb>:<taskId><suffix>` by the acting address. The forwarder
 * rebuilds and checks the same message.
 * @throws ServiceError 403 `payment_preflight_rejected`
 */
export async function checkSignature(deps: Deps, signed: BodySignature): Promise<void> {
  const { actor, signature, verb, taskId, suffix = '' } = signed
  const message = `${deps.config.SERVICE_NAME}:${verb}:${taskId}${suffix}`
  if (await deps.chain.verifyMessage({ address: actor, message, signature })) return
  throw refused(
    refuse(403, 'signature_invalid', `The signature must be ${actor}’s (EIP-191) over exactly "${message}".`, {
      field: 'signature',
    }),
  )
}
