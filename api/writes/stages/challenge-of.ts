import { boundCallExtension, type Challenge, createChallenge, paymentRequirement } from '../../payments/challenge.ts'
import { bazaarOf } from '../bazaar-of.ts'
import type { AnyWrite } from '../relayed-write.ts'
import type { WriteDeps } from '../write-deps.ts'

/**
 * Makes the challenge of a write.
 * @param price `amount`: base units; `path`: of the request, from the root; `error`: one sentence
 */
export function challengeOf(
  { deployment, config }: Pick<WriteDeps, 'deployment' | 'config'>,
  write: AnyWrite,
  { amount, path, error }: { amount: bigint; path: string; error: string },
): Challenge {
  return createChallenge(paymentRequirement(deployment, amount), {
    error,
    url: `${config.PUBLIC_BASE_URL}${path}`,
    description: write.summary,
    extensions: { bazaar: bazaarOf(write), ...boundCallExtension(deployment) },
  })
}
