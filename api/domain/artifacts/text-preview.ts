import type { MediaKind } from './media-kind.ts'

/** Longest preview, in Unicode code points. */
const MAX_PREVIEW = 500
/** A code point has at most four bytes. */
const MOST_BYTES = MAX_PREVIEW * 4

/**
 * The beginning of a text file; null for other kinds, and for bytes that are no UTF-8 text or that a database cannot
 * hold as text.
 */
export function textPreviewOf(kind: MediaKind, bytes: Uint8Array): string | null {
  if (kind !== 'text' || bytes.length === 0) return null
  const beginning = decodeUtf8(bytes.subarray(0, MOST_BYTES), bytes.length > MOST_BYTES)
  if (beginning === null || beginning.includes('\0')) return null
  return [...beginning].slice(0, MAX_PREVIEW).join('')
}

/** Strict; a character cut off at the end of a longer text is left out. */
function decodeUtf8(bytes: Uint8Array, isCut: boolean): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
  } catch {
    return null
  }
}
