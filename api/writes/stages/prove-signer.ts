import type { Address } from 'viem'
import type { Refusal } from '../../domain/refusal.ts'
import { ServiceError } from '../../errors/service-error.ts'
import type { BodySignature, CheckedSignature } from '../relayed-write.ts'
import type { WriteDeps } from '../write-deps.ts'
import { admit } from './admit.ts'
import { checkSignature } from './check-signature.ts'

/** A request that acts in its signer's name, with its checks. */
export interface SignedRequest {
  signed: BodySignature
  /** Returns the refusal of the rules, without an actor or for one. */
  refuseFor: (actor: Address | null) => Refusal | null
  /** Runs further checks of the signer after the signature; absent: none. */
  then?: (checked: CheckedSignature) => Promise<void>
}

/**
 * Proves the signer in stage 5 before the answer discloses the task. A signer who may not see the task gets the answer
 * of a missing task; a wrong signature gets the same answer for every task.
 * @throws ServiceError the refusal of the rules; 403 `payment_preflight_rejected` for a wrong signature
 */
export async function proveSigner(
  deps: WriteDeps,
  { signed, refuseFor, then }: SignedRequest,
): Promise<CheckedSignature> {
  const checked = await checkSignature(deps, signed).catch((wrong: unknown) => {
    if (!(wrong instanceof ServiceError)) throw wrong
    admit(refuseFor(null))
    throw wrong
  })
  const refusal = refuseFor(signed.actor)
  if (refusal?.status === 404) admit(refusal)
  await then?.(checked)
  admit(refusal)
  return checked
}
