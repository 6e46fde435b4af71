import type { MediaKind } from './media-kind.ts'

/** The largest number of Unicode code points in a preview. */
export const MAX_PREVIEW = 500
/** The number of bytes to read for a preview. A code point has at most four bytes in UTF-8. */
export const PREVIEW_BYTES = MAX_PREVIEW * 4

/**
 * Returns the preview of a text file: its first `MAX_PREVIEW` code points. Returns null if the kind is not `text`, or
 * if the bytes are not UTF-8 or contain NUL.
 * @param bytes the first `PREVIEW_BYTES` bytes of the file
 * @param isCut true if the file continues after these bytes
 */
export function textPreviewOf(kind: MediaKind, bytes: Uint8Array, isCut: boolean): string | null {
  if (kind !== 'text' || bytes.length === 0) return null
  const beginning = decodeBeginning(bytes, isCut)
  return beginning === null ? null : [...beginning].slice(0, MAX_PREVIEW).join('')
}

/**
 * Decodes UTF-8 strictly. If the file continues after `bytes` (`isCut`), an incomplete character at the end of `bytes`
 * is left out. Returns null if the bytes are not UTF-8 or contain NUL.
 */
export function decodeBeginning(bytes: Uint8Array, isCut: boolean): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: isCut })
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}
