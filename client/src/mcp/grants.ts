import { randomBytes } from 'node:crypto'

/** The terms of a previewed write. A confirmed write must still have the same terms. Amounts are base units of USDC. */
export interface Terms {
  requestHash: string
  price: bigint | null
  payTo: string
  /**
   * The total amount that counts toward the wallet's limits: the price of the write, plus any other amount that the
   * write commits or pays out.
   */
  decides: bigint
  /** The version of the task at the time of the preview; null if the write is not about a task. */
  rowVersion: string | null
  /** The target, data and escrow amount of the contract call as one text; null if the call is unknown. */
  call: string | null
}

/** The reason why the token of a preview is refused. */
export type TokenProblem = 'unknown' | 'expired'

/** Stores values in this process, each under a token. A token expires, and can be used only once. */
export interface Grants<Value> {
  issue(value: Value): { token: string; expiresAt: number }
  /**
   * Deletes the token, and returns the value that was stored under the token. For an unknown or expired token, returns
   * the problem instead.
   */
  take(token: string): { ok: true; value: Value } | { ok: false; problem: TokenProblem }
}

/** The maximum number of stored tokens. If more are stored, the oldest tokens are deleted. */
const MOST_OPEN = 100

/**
 * Creates an empty store of tokens.
 * @param options `lifetimeMs` is the lifetime of a token, in milliseconds; `now` returns the time in milliseconds
 */
export function createGrants<Value>({ lifetimeMs, now }: { lifetimeMs: number; now: () => number }): Grants<Value> {
  const openGrants = new Map<string, { value: Value; expiresAt: number }>()
  return {
    issue: (value) => {
      const token = randomBytes(32).toString('base64url')
      const expiresAt = now() + lifetimeMs
      openGrants.set(token, { value, expiresAt })
      for (const oldestToken of openGrants.keys()) {
        if (openGrants.size <= MOST_OPEN) break
        openGrants.delete(oldestToken)
      }
      return { token, expiresAt }
    },
    take: (token) => {
      const grant = openGrants.get(token)
      openGrants.delete(token)
      if (grant === undefined) return { ok: false, problem: 'unknown' }
      if (grant.expiresAt <= now()) return { ok: false, problem: 'expired' }
      return { ok: true, value: grant.value }
    },
  }
}

/** Returns the names of the terms that differ; an empty list if all terms are equal. */
export function differingTerms(previewedTerms: Terms, currentTerms: Terms): (keyof Terms)[] {
  const names = ['requestHash', 'price', 'payTo', 'decides', 'rowVersion', 'call'] as const
  return names.filter((name) => previewedTerms[name] !== currentTerms[name])
}
