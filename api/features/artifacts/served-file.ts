/**
 * Types a delivered file may be served as. Whatever a browser could run in this origin (HTML, SVG, XML, scripts) is not
 * among them and goes out as plain bytes.
 */
const SERVED_TYPES = new Set([
  ...['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp'],
  ...['video/mp4', 'video/webm', 'video/ogg', 'video/quicktime'],
  ...['audio/mpeg', 'audio/mp4', 'audio/ogg', 'audio/wav', 'audio/webm', 'audio/flac', 'audio/aac'],
  ...['application/pdf', 'application/json', 'application/zip', 'application/gzip', 'text/plain', 'text/csv'],
])

/** The content type to serve a file with: its own when harmless, without the parameters its worker gave it. */
export function servedType(mimeType: string): string {
  const type = mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (!SERVED_TYPES.has(type)) return 'application/octet-stream'
  return type.startsWith('text/') ? `${type}; charset=utf-8` : type
}

/**
 * `Content-Disposition: attachment` with the worker's file name: in ASCII for old clients, and exactly by RFC 5987.
 * No character of the name can end the header or a quoted string in it.
 */
export function attachmentDisposition(fileName: string): string {
  const plain = fileName.replace(/[^\w .()-]/g, '_').slice(0, 150)
  return `attachment; filename="${plain}"; filename*=UTF-8''${encodeRfc5987(fileName)}`
}

/** Percent-encodes whatever is no `attr-char`. */
function encodeRfc5987(text: string): string {
  return encodeURIComponent(text).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
}
