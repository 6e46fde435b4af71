export const mediaKinds = ['image', 'video', 'audio', 'pdf', 'text', 'archive', 'unknown'] as const
export type MediaKind = (typeof mediaKinds)[number]

/**
 * The pattern of a MIME type: `type/subtype`, optionally with the parameters of RFC 9110. It admits printable ASCII
 * only, so that the value can be sent in an HTTP header.
 */
export const MIME_TYPE =
  /^[!#$%&'*+.^_`|~0-9A-Za-z-]+\/[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:[ \t]*;[ \t]*[!#$%&'*+.^_`|~0-9A-Za-z-]+=(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+|"[ !#-[\]-~]*"))*$/

/** The top-level MIME types that are a kind of their own. */
const families = ['image', 'video', 'audio', 'text'] as const satisfies readonly MediaKind[]

const textTypes = new Set([
  'application/json',
  'application/x-ndjson',
  'application/ndjson',
  'application/xml',
  'application/yaml',
  'application/x-yaml',
  'application/toml',
  'application/javascript',
  'application/x-javascript',
  'application/ecmascript',
  'application/typescript',
  'application/x-tex',
  'application/x-sh',
  'application/sql',
])

const archiveTypes = new Set([
  'application/zip',
  'application/x-zip-compressed',
  'application/gzip',
  'application/x-gzip',
  'application/x-tar',
  'application/x-gtar',
  'application/x-bzip',
  'application/x-bzip2',
  'application/x-lzma',
  'application/zlib',
  'application/java-archive',
  'application/x-xz',
  'application/zstd',
  'application/x-7z-compressed',
  'application/vnd.rar',
  'application/x-rar-compressed',
])

/**
 * Returns the kind of a declared MIME type. The kind decides how a viewer may display a file, not how the bytes are
 * served: an SVG is an image, but the service never sends it to a browser for display. See the interface specification,
 * "Record shapes" (Artifact). Example: `mediaKindOf('image/svg+xml')` returns `'image'`.
 */
export function mediaKindOf(mimeType: string): MediaKind {
  const essence = mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (essence === 'application/pdf' || essence === 'application/x-pdf') return 'pdf'
  if (archiveTypes.has(essence) || /^application\/[^/]+\+(?:zip|gzip)$/.test(essence)) return 'archive'
  if (textTypes.has(essence) || /^application\/[^/]+\+(?:json|xml|yaml)$/.test(essence)) return 'text'
  return families.find((family) => essence.startsWith(`${family}/`)) ?? 'unknown'
}
