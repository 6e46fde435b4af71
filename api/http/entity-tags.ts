/**
 * Whether an `If-None-Match` names this tag. Weakly compared: a proxy that compresses may have weakened it on the way.
 */
export function isKnownTag(given: string | undefined, tag: string): boolean {
  return given?.split(',').some((known) => known.trim().replace(/^W\//, '') === tag) ?? false
}
