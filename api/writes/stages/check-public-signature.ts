import type { Context } from 'hono'
import { ServiceError } from '../../errors/service-error.ts'
import { serviceHeaderNames } from '../../http/header-names.ts'
import { callerOf } from '../../identity/caller.ts'
import { hasRevertedCall } from '../../intents/reverted-signatures.queries.ts'
import type { AnyWrite, BodySignature, CheckedSignature } from '../relayed-write.ts'
import type { WriteDeps } from '../write-deps.ts'

/**
 * Refuses, in stage 5, a signature that a reverted transaction made public, unless the caller proves to be the signer.
 * The task's terms may have changed since the signature was made.
 * @throws ServiceError 403 `payment_preflight_rejected`; nothing was sent
 */
export async function checkPublicSignature(
  c: Context,
  deps: WriteDeps,
  { write, signed, checked }: { write: AnyWrite; signed: BodySignature; checked: CheckedSignature },
): Promise<void> {
  if (signed.agreesTo === undefined) return
  const { verb, taskId } = signed.agreesTo
  const message = { operation: write.operation, taskId, actor: checked.actor, suffix: checked.suffix }
  if (!(await hasRevertedCall(deps.sql, message))) return
  if ((await callerOf(c, deps)) === checked.actor) return
  const { callerAddress } = serviceHeaderNames(deps.config.SERVICE_NAME)
  throw new ServiceError(
    403,
    'payment_preflight_rejected',
    `A ${verb} by this signature reverted on chain, so others can read the signature: repeat the request with the ` +
      `read-identity headers (${callerAddress} and the others) of ${checked.actor}. Nothing was sent.`,
    {
      detail: 'signature_public',
      issues: [{ path: 'signature', message: 'is public since a reverted transaction; add read-identity headers' }],
    },
  )
}
