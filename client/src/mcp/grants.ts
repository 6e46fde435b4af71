import { randomBytes } from 'node:crypto'

/** Terms of a preview, which a confirmation must match. Amounts in base units. */
export interface Terms {
  requestHash: string
  price: bigint | null
  payTo: string
  /** Everything that the write decides, price included. */
  decides: bigint
  /** Version of the task at the preview; null: the write is about no task. */
  rowVersion: string | null
  /** Target, data and escrow of the call; null: unknown. */
  call: string | null
}

/** Reasons for refusing a token. */
export type TokenProblem = 'unknown' | 'expired'

/** Stores values in this process under tokens that expire and work once. */
export interface Grants<Value> {
  issue(value: Value): { token: string; expiresAt: number }
  /** Consumes the token, also when the write fails. */
  take(token: string): { ok: true; value: Value } | { ok: false; problem: TokenProblem }
}

/** Maximum of open tokens; the oldest ones are dropped. */
const MOST_OPEN = 100

/**
 * Creates an empty store.
 * @param options `lifetimeMs`: lifetime of a token; `now`: milliseconds
 */
export function createGrants<Value>({ lifetimeMs, now }: { lifetimeMs: number; now: () => number }): Grants<Value> {
  const open = new Map<string, { value: Value; expiresAt: number }>()
  return {
    issue: (value) => {
      const token = randomBytes(32).toString('base64url')
      const expiresAt = now() + lifetimeMs
      open.set(token, { value, expiresAt })
      for (const oldest of open.keys()) {
        if (open.size <= MOST_OPEN) break
        open.delete(oldest)
      }
      return { token, expiresAt }
    },
    take: (token) => {
      const found = open.get(token)
      open.delete(token)
      if (found === undefined) return { ok: false, problem: 'unknown' }
      if (found.expiresAt <= now()) return { ok: false, problem: 'expired' }
      return { ok: true, value: found.value }
    },
  }
}

/** Returns the names of terms that differ; empty: all equal. */
export function differingTerms(previewed: Terms, current: Terms): (keyof Terms)[] {
  const names = ['requestHash', 'price', 'payTo', 'decides', 'rowVersion', 'call'] as const
  return names.filter((name) => previewed[name] !== current[name])
}
