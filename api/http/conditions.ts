import { isKnownTag } from './entity-tags.ts'

/** The conditions of a request for bytes. */
export interface Conditions {
  /** True if the client has these bytes already. */
  isKnown: boolean
  /** The `Range` header, unless `If-Range` names other bytes. */
  rangeHeader: string | undefined
}

/** Reads the conditions of RFC 9110, "Preconditions" and "Range requests", that apply to immutable bytes. */
export function readConditions(header: (name: string) => string | undefined, tag: string): Conditions {
  const ifRange = header('if-range')
  return {
    isKnown: isKnownTag(header('if-none-match'), tag),
    rangeHeader: ifRange === undefined || ifRange.trim() === tag ? header('range') : undefined,
  }
}
