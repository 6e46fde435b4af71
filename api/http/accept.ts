import { parseAccept } from 'hono/utils/accept'

/** Media types that a client takes, as its `Accept` has them: `{ type: 'text/*', weight: 0.5 }`. */
export interface AcceptedRange {
  /** Lower case. */
  type: string
  /** 0 to 1; 0 excludes the type. */
  weight: number
}

/** Reads an `Accept` header (RFC 9110, "Accept"); without one a client takes everything. */
export function acceptedRanges(accept = '*/*'): AcceptedRange[] {
  return parseAccept(accept).map(({ type, q }) => ({ type: type.toLowerCase(), weight: q }))
}

/**
 * The weight of a type: that of its most exact range; null: no range covers it.
 * Example: 0.5 of `text/csv` for `text/*;q=0.5, *` + `/*;q=0.1`.
 */
export function weightOf(type: string, ranges: readonly AcceptedRange[]): number | null {
  const covering = [type, `${type.split('/')[0]}/*`, '*/*']
  const [exact] = covering.flatMap((name) => ranges.find((range) => range.type === name) ?? [])
  return exact?.weight ?? null
}

/**
 * Says whether a client names a type and prefers no JSON to it. A program that takes everything names none.
 * Example: `text/html` of a browser, true for `text/html,application/xhtml+xml;q=0.9`, false for `*` + `/*`.
 */
export function isAskedFor(type: string, accept: string | undefined): boolean {
  const ranges = acceptedRanges(accept)
  const weightOfName = (name: string) => ranges.find((range) => range.type === name)?.weight ?? 0
  return weightOfName(type) > 0 && weightOfName(type) >= weightOfName('application/json')
}
