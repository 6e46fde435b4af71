import { type BazaarExtension, bazaarExtension } from '../payments/bazaar-extension.ts'
import type { AnyWrite } from './relayed-write.ts'

const made = new WeakMap<AnyWrite, BazaarExtension>()

/** What the challenges of a write declare of it; made once. */
export function bazaarOf(write: AnyWrite): BazaarExtension {
  const known = made.get(write)
  if (known !== undefined) return known
  const extension = bazaarExtension({
    path: `/api${write.path}`,
    body: write.bodyless ? null : write.body,
    ...(write.exampleBody !== undefined && { example: write.exampleBody }),
  })
  made.set(write, extension)
  return extension
}
