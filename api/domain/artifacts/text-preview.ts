import type { MediaKind } from './media-kind.ts'

/** Longest preview, in Unicode code points. */
export const MAX_PREVIEW = 500
/** How much of a file is looked at: a code point has at most four bytes. */
export const PREVIEW_BYTES = MAX_PREVIEW * 4

/**
 * The beginning of a text file, from its first `PREVIEW_BYTES` bytes; null for other kinds, and for bytes that are no
 * UTF-8 text or that a database cannot hold as text.
 * @param isCut the file goes on after these bytes
 */
export function textPreviewOf(kind: MediaKind, bytes: Uint8Array, isCut: boolean): string | null {
  if (kind !== 'text' || bytes.length === 0) return null
  const beginning = decodeBeginning(bytes, isCut)
  return beginning === null ? null : [...beginning].slice(0, MAX_PREVIEW).join('')
}

/** Strict; a character cut off at the end of a longer text is left out. Null: no UTF-8, or with NUL. */
export function decodeBeginning(bytes: Uint8Array, isCut: boolean): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}
