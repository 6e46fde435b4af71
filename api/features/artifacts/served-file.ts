import { typeOfStoredFile } from '../../domain/artifacts/file-types.ts'

/**
 * The content types with which a delivered file may be served. HTML, SVG, XML and scripts are absent, because a browser
 * could execute them. Such files are served as plain bytes.
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

/**
 * The Content-Security-Policy of delivered files, which may contain strangers' code. If a browser opens a file as a
 * page, the page can load and run nothing. No website can show the page in a frame.
 */
const SANDBOX = "sandbox; default-src 'none'; style-src 'none'; script-src 'none'; frame-ancestors 'none'"

/** The file names that Windows reserves for devices, with or without a suffix after a dot. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i

/** Returns the headers of every answer about a file. They prevent a browser from executing the file's bytes. */
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
 * Returns the content type with which a file is served. Harmless types are kept, without parameters. Source text
 * becomes `text/plain`. All other types become plain bytes. Example: `servedType('text/html')` returns
 * `'application/octet-stream'`.
 */
export function servedType(mimeType: string): string {
  const type = mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (isSourceText(type)) return 'text/plain; charset=utf-8'
  if (!SERVED_TYPES.has(type)) return 'application/octet-stream'
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type
}

/**
 * Returns true if a content type is source code or data that no browser executes or renders. Such files are shown as
 * plain text.
 */
function isSourceText(type: string): boolean {
  return /^text\/(?:x-[\w+.-]+|markdown|tab-separated-values)$/.test(type) || SOURCE_TYPES.has(type)
}

/**
 * Returns a `Content-Disposition` header that makes a browser save the file under the worker's file name. The header
 * has the name twice: in plain ASCII for old clients, and unchanged in the encoding of RFC 8187. The header has at most
 * 3.3 kB.
 */
export function attachmentDisposition(fileName: string): string {
  return `attachment; filename="${toPlainName(fileName)}"; filename*=UTF-8''${encodeExactly(fileName)}`
}

/**
 * Converts a file name into a name of at most 150 ASCII characters that every file system accepts. A dot at the
 * beginning is replaced, so the file is not hidden. The name of a Windows device gets a prefix.
 */
function toPlainName(fileName: string): string {
  return fileName
    .replace(/[^\w .()-]/gu, '_')
    .slice(0, 150)
    .replace(/^[. ]+|[. ]+$/g, (edge) => '_'.repeat(edge.length))
    .replace(DEVICE_NAME, '_$&')
}

/** Percent-encodes every character that RFC 8187 does not allow as `attr-char`. */
function encodeExactly(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
}
