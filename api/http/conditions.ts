import { isKnownTag } from './entity-tags.ts'

/** The conditional headers of a request for immutable bytes. */
export interface Conditions {
  /** True if the header `If-None-Match` contains the entity tag: the client already has the requested bytes. */
  isKnown: boolean
  /**
   * The `Range` header. Undefined if the request has no `Range` header, or if the request has an `If-Range` header that
   * differs from the entity tag of the requested bytes.
   */
  rangeHeader: string | undefined
}

/**
 * Reads the conditional headers for immutable bytes (RFC 9110, "Preconditions" and "Range requests").
 * @param tag the entity tag of the bytes
 */
export function readConditions(header: (name: string) => string | undefined, tag: string): Conditions {
  const ifRange = header('if-range')
  return {
    isKnown: isKnownTag(header('if-none-match'), tag),
    rangeHeader: ifRange === undefined || ifRange.trim() === tag ? header('range') : undefined,
  }
}
