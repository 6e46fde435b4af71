import { typeOfStoredFile } from '../../domain/artifacts/file-types.ts'

/**
 * The types a delivered file may be served as. Types that a browser could execute in this origin (HTML, SVG, XML,
 * scripts) are absent and served as plain bytes.
 */
const SERVED_TYPES = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'video/mp4',
  'video/webm',
  'video/ogg',
  'video/quicktime',
  'audio/mpeg',
  'audio/mp4',
  'audio/ogg',
  'audio/wav',
  'audio/webm',
  'audio/flac',
  'audio/aac',
  'application/pdf',
  'application/json',
  'application/zip',
  'application/gzip',
  'text/plain',
  'text/csv',
])

const SOURCE_TYPES = new Set([
  'application/yaml',
  'application/x-yaml',
  'application/toml',
  'application/sql',
  'application/x-sh',
  'application/x-ndjson',
  'application/x-ipynb+json',
])

/** The policy for delivered bytes, which are foreign code: a page of them may do nothing, nor be framed. */
const SANDBOX = "sandbox; default-src 'none'; style-src 'none'; script-src 'none'; frame-ancestors 'none'"

/** The names that Windows reserves for devices, with any suffix after the first dot. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/** Returns the headers of every answer about a file's bytes, which prevent browsers from executing them. */
export function harmlessHeaders(file: { fileName: string; mimeType: string; mediaKind: string }) {
  return {
    'Content-Type': servedType(typeOfStoredFile(file)),
    'Content-Disposition': attachmentDisposition(file.fileName),
    'Content-Security-Policy': SANDBOX,
    'X-Content-Type-Options': 'nosniff',
    // Previews are shown on pages of other origins, where they do not run either.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
}

/**
 * Returns the content type to serve a file with: its own when harmless, without its parameters. Example:
 * `servedType('text/html')` returns `'application/octet-stream'`.
 */
export function servedType(mimeType: string): string {
  const type = mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (isSourceText(type)) return 'text/plain; charset=utf-8'
  if (!SERVED_TYPES.has(type)) return 'application/octet-stream'
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type
}

/** Returns true for source code and data that no browser executes or draws; they are shown as text. */
function isSourceText(type: string): boolean {
  return /^text\/(?:x-[\w+.-]+|markdown|tab-separated-values)$/.test(type) || SOURCE_TYPES.has(type)
}

/**
 * Returns `Content-Disposition: attachment` with the worker's file name: in plain ASCII for old clients, and exactly by
 * RFC 8187. No character of the name can end the header or a quoted string. The longest name, 255 characters of four
 * bytes, makes 3.3 kB.
 */
export function attachmentDisposition(fileName: string): string {
  return `attachment; filename="${toPlainName(fileName)}"; filename*=UTF-8''${encodeExactly(fileName)}`
}

/** Returns at most 150 ASCII characters that every disk accepts: neither hidden nor a device. */
function toPlainName(fileName: string): string {
  return fileName
    .replace(/[^\w .()-]/gu, '_')
    .slice(0, 150)
    .replace(/^[. ]+|[. ]+$/g, (edge) => '_'.repeat(edge.length))
    .replace(DEVICE_NAME, '_$&')
}

/** Percent-encodes every character outside of `attr-char`. */
function encodeExactly(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
}
