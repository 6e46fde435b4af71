import type { MediaKind } from './media-kind.ts'

/** The longest preview, in Unicode code points. */
export const MAX_PREVIEW = 500
/** The number of bytes to read for a preview: a code point has at most four. */
export const PREVIEW_BYTES = MAX_PREVIEW * 4

/**
 * Returns the beginning of a text file, from its first `PREVIEW_BYTES` bytes. Returns null for other kinds, and for
 * bytes that are not UTF-8 or contain NUL, which a database cannot store as text.
 * @param isCut the file continues after these bytes
 */
export function textPreviewOf(kind: MediaKind, bytes: Uint8Array, isCut: boolean): string | null {
  if (kind !== 'text' || bytes.length === 0) return null
  const beginning = decodeBeginning(bytes, isCut)
  return beginning === null ? null : [...beginning].slice(0, MAX_PREVIEW).join('')
}

/**
 * Decodes UTF-8 strictly, without a character that the cut splits. Returns null for bytes that are not UTF-8 or contain
 * NUL.
 */
export function decodeBeginning(bytes: Uint8Array, isCut: boolean): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}
