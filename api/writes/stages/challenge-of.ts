import { type BazaarExtension, bazaarExtension } from '../../payments/bazaar-extension.ts'
import { boundCallExtension, type Challenge, createChallenge, paymentRequirement } from '../../payments/challenge.ts'
import type { AnyWrite } from '../relayed-write.ts'
import type { WriteDeps } from '../write-deps.ts'

const extensions = new WeakMap<AnyWrite, BazaarExtension>()

/** Returns the `bazaar` extension for the payment challenges of a write. The extension is built once for each write. */
export function bazaarOf(write: AnyWrite): BazaarExtension {
  const knownExtension = extensions.get(write)
  if (knownExtension !== undefined) return knownExtension
  const extension = bazaarExtension({
    path: `/api${write.path}`,
    body: write.bodyless ? null : write.body,
    ...(write.exampleBody !== undefined && { example: write.exampleBody }),
  })
  extensions.set(write, extension)
  return extension
}

/**
 * Returns the payment challenge of a write.
 * @param price `amount`: base units of USDC; `path`: the path of the request from the root; `error`: one sentence
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
