import { isKnownTag } from './entity-tags.ts'

/** What a request for bytes asks for besides. */
export interface Conditions {
  /** The client has them already. */
  isKnown: boolean
  /** Its `Range`, unless that is of other bytes than these. */
  rangeHeader: string | undefined
}

/** RFC 9110, "Preconditions" and "Range requests", as far as bytes that never change need them. */
export function readConditions(header: (name: string) => string | undefined, tag: string): Conditions {
  const ifRange = header('if-range')
  return {
    isKnown: isKnownTag(header('if-none-match'), tag),
    rangeHeader: ifRange === undefined || ifRange.trim() === tag ? header('range') : undefined,
  }
}
