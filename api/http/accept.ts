import { parseAccept } from 'hono/utils/accept'

/** A media range of an `Accept` header, such as `{ type: 'text/*', weight: 0.5 }`. */
export interface AcceptedRange {
  /** The media range in lower case. */
  type: string
  /** The client's preference from 0 to 1; 0 excludes the type. */
  weight: number
}

/** Parses an `Accept` header (RFC 9110, "Accept"). A missing header means that the client accepts every type. */
export function acceptedRanges(accept = '*/*'): AcceptedRange[] {
  return parseAccept(accept).map(({ type, q }) => ({ type: type.toLowerCase(), weight: q }))
}

/**
 * Returns the weight of a media type in an `Accept` header. The most specific range for the type counts. Returns null
 * if no range includes the type. Example: with `text/*;q=0.5`, `text/csv` has the weight 0.5.
 */
export function weightOf(type: string, ranges: readonly AcceptedRange[]): number | null {
  const coveringTypes = [type, `${type.split('/')[0]}/*`, '*/*']
  const [exactRange] = coveringTypes.flatMap((name) => ranges.find((range) => range.type === name) ?? [])
  return exactRange?.weight ?? null
}

/**
 * Returns true if the `Accept` header names the type exactly and does not weight JSON higher. A wildcard range, such as
 * `text/*`, does not count. Example: `isAskedFor('text/html', 'text/html,application/xhtml+xml;q=0.9')` returns true.
 */
export function isAskedFor(type: string, accept: string | undefined): boolean {
  const ranges = acceptedRanges(accept)
  const weightOfName = (name: string) => ranges.find((range) => range.type === name)?.weight ?? 0
  return weightOfName(type) > 0 && weightOfName(type) >= weightOfName('application/json')
}
