import { randomBytes } from 'node:crypto'

/** What a preview said, and a confirmation is held to. Amounts in base units. */
export interface Terms {
  requestHash: string
  price: bigint | null
  payTo: string
  /** Everything that the write decides, its price included. */
  decides: bigint
  /** Of the task as it was; null: the write is about none. */
  rowVersion: string | null
  /** The call that it comes to: target, data and escrow; null: it is not known. */
  call: string | null
}

/** Why a token is worth nothing. */
export type TokenProblem = 'unknown' | 'expired'

/** Keeps values under tokens that work once, for a time, in this process. */
export interface Grants<Value> {
  issue(value: Value): { token: string; expiresAt: number }
  /** Uses the token up, whatever comes of it. */
  take(token: string): { ok: true; value: Value } | { ok: false; problem: TokenProblem }
}

/** More open tokens than that are no conversation: the oldest ones end. */
const MOST_OPEN = 100

/** @param options `lifetimeMs`: how long a token works; `now`: milliseconds */
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

/** The terms that differ, by name; empty: they are the same. */
export function differingTerms(previewed: Terms, current: Terms): (keyof Terms)[] {
  const names = ['requestHash', 'price', 'payTo', 'decides', 'rowVersion', 'call'] as const
  return names.filter((name) => previewed[name] !== current[name])
}
