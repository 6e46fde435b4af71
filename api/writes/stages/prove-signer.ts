import type { Address } from 'viem'
import type { Refusal } from '../../domain/refusal.ts'
import { ServiceError } from '../../errors/service-error.ts'
import type { BodySignature, CheckedSignature } from '../relayed-write.ts'
import type { WriteDeps } from '../write-deps.ts'
import { admit } from './admit.ts'
import { checkSignature } from './check-signature.ts'

/** A signed request, with the checks that its signer must pass. */
export interface SignedRequest {
  signed: BodySignature
  /** Returns the refusal of the rules for an actor. A null actor means that the signer is not proven yet. */
  refuseFor: (actor: Address | null) => Refusal | null
  /** Runs further checks of the signer after the signature was found valid. Absent if no further checks are needed. */
  then?: (checkedSignature: CheckedSignature) => Promise<void>
}

/**
 * Checks the signature in stage 5, before the answer discloses anything about the task. A signer without read access
 * gets the answer for a missing task. The answer to a wrong signature does not depend on the signer's rights.
 * @throws ServiceError the refusal of the rules; 403 `payment_preflight_rejected` for a wrong signature
 */
export async function proveSigner(
  deps: WriteDeps,
  { signed, refuseFor, then }: SignedRequest,
): Promise<CheckedSignature> {
  const checkedSignature = await checkSignature(deps, signed).catch((error: unknown) => {
    if (!(error instanceof ServiceError)) throw error
    admit(refuseFor(null))
    throw error
  })
  const refusal = refuseFor(signed.actor)
  if (refusal?.status === 404) admit(refusal)
  await then?.(checkedSignature)
  admit(refusal)
  return checkedSignature
}
