import { type MediaKind, mediaKindOf } from './media-kind.ts'
import { decodeBeginning } from './text-preview.ts'

/** The file extensions, in lower case, of each media type of a deliverable. The client has an equal table. */
const extensionsOfTypes: Readonly<Record<string, string>> = {
  'text/plain':
    'txt text log rst tex ini cfg conf env srt vue svelte r jl dart ex exs clj zig cairo move graphql proto ps1 bat tf',
  'text/markdown': 'md markdown',
  'text/csv': 'csv',
  'text/tab-separated-values': 'tsv',
  'text/html': 'html htm',
  'text/css': 'css',
  'application/xml': 'xml',
  'application/json': 'json',
  'application/x-ndjson': 'jsonl ndjson',
  'application/geo+json': 'geojson',
  'application/x-ipynb+json': 'ipynb',
  'application/yaml': 'yaml yml',
  'application/toml': 'toml',
  'text/x-diff': 'diff patch',
  'text/vtt': 'vtt',
  'text/calendar': 'ics',
  'text/javascript': 'js mjs cjs jsx',
  'text/x-typescript': 'ts mts cts tsx',
  'text/x-python': 'py pyi vy',
  'text/x-ruby': 'rb',
  'text/x-php': 'php',
  'text/x-perl': 'pl',
  'text/x-lua': 'lua',
  'text/x-go': 'go',
  'text/x-rust': 'rs',
  'text/x-c': 'c h',
  'text/x-c++': 'cc cpp hpp',
  'text/x-csharp': 'cs',
  'text/x-java': 'java',
  'text/x-kotlin': 'kt',
  'text/x-scala': 'scala',
  'text/x-swift': 'swift',
  'text/x-haskell': 'hs',
  'text/x-solidity': 'sol',
  'application/sql': 'sql',
  'application/x-sh': 'sh bash zsh',
  'image/png': 'png',
  'image/jpeg': 'jpg jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/vnd.microsoft.icon': 'ico',
  'image/tiff': 'tif tiff',
  'image/heic': 'heic',
  'image/svg+xml': 'svg',
  'audio/mpeg': 'mp3',
  'audio/wav': 'wav',
  'audio/ogg': 'ogg opus',
  'audio/flac': 'flac',
  'audio/mp4': 'm4a',
  'video/mp4': 'mp4 m4v',
  'video/webm': 'webm',
  'video/quicktime': 'mov',
  'video/matroska': 'mkv',
  'application/pdf': 'pdf',
  'application/rtf': 'rtf',
  'application/epub+zip': 'epub',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
  'application/vnd.oasis.opendocument.text': 'odt',
  'application/vnd.oasis.opendocument.spreadsheet': 'ods',
  'application/vnd.oasis.opendocument.presentation': 'odp',
  'application/zip': 'zip',
  'application/gzip': 'gz tgz',
  'application/x-tar': 'tar',
  'application/x-7z-compressed': '7z',
  'application/wasm': 'wasm',
  'application/vnd.apache.parquet': 'parquet',
  'font/woff': 'woff',
  'font/woff2': 'woff2',
  'font/ttf': 'ttf',
  'font/otf': 'otf',
  'model/gltf-binary': 'glb',
  'model/gltf+json': 'gltf',
  'model/stl': 'stl',
}

/** The names, in lower case, of text files that have no extension. */
const textNames: ReadonlySet<string> = new Set(
  'readme license licence copying notice authors changelog contributing makefile dockerfile .gitignore .env'.split(' '),
)

const typesOfExtensions: ReadonlyMap<string, string> = new Map(
  Object.entries(extensionsOfTypes).flatMap(([type, extensions]) =>
    extensions.split(' ').map((extension): [string, string] => [extension, type]),
  ),
)

/**
 * The media types that do not describe a file. `video/mp2t` is included, because many programs declare it for
 * TypeScript files (`.ts`).
 */
const genericTypes: ReadonlySet<string> = new Set([
  'application/octet-stream',
  'binary/octet-stream',
  'application/x-octet-stream',
  'application/unknown',
  'application/x-binary',
  'video/mp2t',
])

/**
 * The patterns of the first bytes of file formats, in hex. Each pattern has the kind of the format. A dot matches any
 * hex digit.
 */
const formats: readonly [beginning: RegExp, kind: MediaKind][] = [
  [/^89504e470d0a1a0a/, 'image'],
  [/^ffd8ff/, 'image'],
  [/^474946383[79]61/, 'image'],
  [/^52494646.{8}57454250/, 'image'],
  [/^.{8}66747970(?:61766966|61766973)/, 'image'],
  [/^255044462d/, 'pdf'],
  [/^(?:504b0304|1f8b08|377abcaf271c|28b52ffd|fd377a585a00)/, 'archive'],
]

/**
 * Returns true if a declared media type says nothing about the file. Example:
 * `isGenericType('application/octet-stream')` returns true.
 */
export function isGenericType(mimeType: string): boolean {
  return genericTypes.has(mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? '')
}

/**
 * Returns the media type that a file name implies, or null if the name implies none. Example:
 * `findTypeOfName('token.sol')` returns `'text/x-solidity'`.
 */
export function findTypeOfName(fileName: string): string | null {
  const name = fileName.toLowerCase()
  if (textNames.has(name)) return 'text/plain'
  const dot = name.lastIndexOf('.')
  return (dot < 0 ? undefined : typesOfExtensions.get(name.slice(dot + 1))) ?? null
}

/**
 * Returns the media type of a stored file. If the declared type `mimeType` is generic, the type follows from the file's
 * name. If the name contradicts the content (`mediaKind`), the name is ignored. Example: if the content of a file
 * `film.mp4` is text, the type is `text/plain`.
 */
export function typeOfStoredFile({
  fileName,
  mimeType,
  mediaKind,
}: {
  fileName: string
  mimeType: string
  mediaKind: string
}): string {
  if (!isGenericType(mimeType)) return mimeType
  const typeOfName = findTypeOfName(fileName)
  if (typeOfName !== null && mediaKindOf(typeOfName) === mediaKind) return typeOfName
  return mediaKind === 'text' ? 'text/plain' : mimeType
}

/**
 * Returns the kind of a file. If the declared type is generic, the kind follows from the content and the name. The
 * content takes precedence: a `.png` file without image bytes is no image. Example: `main.py` with readable bytes,
 * declared as `application/octet-stream`, is `text`.
 * @param beginning the first bytes of the file
 * @param isCut true if the file continues after `beginning`
 */
export function kindOfFile(
  { fileName, mimeType }: { fileName: string; mimeType: string },
  beginning: Uint8Array,
  isCut: boolean,
): MediaKind {
  const declaredKind = mediaKindOf(mimeType)
  if (!isGenericType(mimeType)) return declaredKind
  const typeOfName = findTypeOfName(fileName)
  const kindOfName = typeOfName === null ? 'unknown' : mediaKindOf(typeOfName)
  const start = Buffer.from(beginning.subarray(0, 16)).toString('hex')
  const format = formats.find(([pattern]) => pattern.test(start))
  // A document or model can be an archive inside; its name distinguishes it.
  if (format !== undefined)
    return format[1] === 'archive' && typeOfName !== null && kindOfName === 'unknown' ? 'unknown' : format[1]
  if (isReadable(beginning, isCut)) return kindOfName === 'unknown' && typeOfName !== null ? 'unknown' : 'text'
  return kindOfName === 'audio' || kindOfName === 'video' ? kindOfName : declaredKind
}

function isReadable(beginning: Uint8Array, isCut: boolean): boolean {
  return beginning.length > 0 && decodeBeginning(beginning, isCut) !== null
}
