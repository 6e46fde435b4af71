export const mediaKinds = ['image', 'video', 'audio', 'pdf', 'text', 'archive', 'unknown'] as const
export type MediaKind = (typeof mediaKinds)[number]

/**
 * The pattern of a MIME type: `type/subtype`, with optional parameters of RFC 9110. Only printable ASCII matches,
 * because the value is sent in an HTTP header.
 */
export const MIME_TYPE =
  /^[!#$%&'*+.^_`|~0-9A-Za-z-]+\/[!#$%&'*+.^_`|~0-9A-Za-z-]+(?:[ \t]*;[ \t]*[!#$%&'*+.^_`|~0-9A-Za-z-]+=(?:[!#$%&'*+.^_`|~0-9A-Za-z-]+|"[ !#-[\]-~]*"))*$/

/** The top-level MIME types that are also kinds of files. */
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
 * Returns the kind of a declared MIME type. The kind decides how a viewer may display the file. The type in the HTTP
 * answer does not depend on the kind. See the interface specification, "Record shapes" (Artifact). Example:
 * `mediaKindOf('image/svg+xml')` returns `'image'`.
 */
export function mediaKindOf(mimeType: string): MediaKind {
  const essence = mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (essence === 'application/pdf' || essence === 'application/x-pdf') return 'pdf'
  if (archiveTypes.has(essence) || /^application\/[^/]+\+(?:zip|gzip)$/.test(essence)) return 'archive'
  if (textTypes.has(essence) || /^application\/[^/]+\+(?:json|xml|yaml)$/.test(essence)) return 'text'
  return families.find((family) => essence.startsWith(`${family}/`)) ?? 'unknown'
}
