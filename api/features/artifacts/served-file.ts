import { typeOfStoredFile } from '../../domain/artifacts/file-types.ts'

/**
 * Types a delivered file may be served as. Whatever a browser could run in this origin (HTML, SVG, XML, scripts) is not
 * among them and goes out as plain bytes.
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

/** Delivered bytes are foreign code: a page made of them may do nothing at all, nor be shown in another. */
const SANDBOX = "sandbox; default-src 'none'; style-src 'none'; script-src 'none'; frame-ancestors 'none'"

/** Names that Windows takes for devices, whatever follows the first dot. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/** What stands above a file's bytes in every answer that is about them, so that no browser runs them. */
export function harmlessHeaders(file: { fileName: string; mimeType: string; mediaKind: string }) {
  return {
    'Content-Type': servedType(typeOfStoredFile(file)),
    'Content-Disposition': attachmentDisposition(file.fileName),
    'Content-Security-Policy': SANDBOX,
    'X-Content-Type-Options': 'nosniff',
    // Previews are shown on pages of other origins; they run there no more than here.
    'Cross-Origin-Resource-Policy': 'cross-origin',
  }
}

/** The content type to serve a file with: its own when harmless, without the parameters its worker gave it. */
export function servedType(mimeType: string): string {
  const type = mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (isSourceText(type)) return 'text/plain; charset=utf-8'
  if (!SERVED_TYPES.has(type)) return 'application/octet-stream'
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type
}

/** Types of source code and data that no browser runs or draws: a reader sees them as the text that they are. */
function isSourceText(type: string): boolean {
  return /^text\/(?:x-[\w+.-]+|markdown|tab-separated-values)$/.test(type) || SOURCE_TYPES.has(type)
}

/**
 * `Content-Disposition: attachment` with the worker's file name: for clients that know no other in ASCII, such as can
 * be saved anywhere, and exactly by RFC 8187. No character of the name can end the header or a quoted string in it. The
 * longest name, 255 characters of four bytes, makes 3.3 kB.
 */
export function attachmentDisposition(fileName: string): string {
  return `attachment; filename="${toPlainName(fileName)}"; filename*=UTF-8''${encodeExactly(fileName)}`
}

/** At most 150 ASCII characters: neither hidden nor a device, ending in what a disk keeps. */
function toPlainName(fileName: string): string {
  return fileName
    .replace(/[^\w .()-]/gu, '_')
    .slice(0, 150)
    .replace(/^[. ]+|[. ]+$/g, (edge) => '_'.repeat(edge.length))
    .replace(DEVICE_NAME, '_$&')
}

/** Percent-encodes whatever is no `attr-char`. */
function encodeExactly(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
}
