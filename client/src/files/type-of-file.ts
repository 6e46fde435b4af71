import { toBase64 } from '../http/base64.ts'
import { extensionTypes, nameTypes } from './file-types.ts'

const UNKNOWN = 'application/octet-stream'

/** The first bytes of file formats in hex, with the media type of each format. */
const signatures: readonly [hex: string, type: string][] = [
  ['89504e470d0a1a0a', 'image/png'],
  ['ffd8ff', 'image/jpeg'],
  ['474946383761', 'image/gif'],
  ['474946383961', 'image/gif'],
  ['255044462d', 'application/pdf'],
  ['504b0304', 'application/zip'],
  ['1f8b08', 'application/gzip'],
  ['0061736d', 'application/wasm'],
]

/**
 * Returns the media type of a delivered file. The tables `nameTypes` and `extensionTypes` determine the type by the
 * file's name. If neither table has an entry, the content determines the type. A text without an entry is `text/plain`.
 *
 * Example: `typeOfFile('README', bytes)` is `text/plain`.
 */
export function typeOfFile(fileName: string, bytes: Uint8Array): string {
  const name = (fileName.split(/[\\/]/).at(-1) ?? '').toLowerCase()
  return findIn(nameTypes, name) ?? findIn(extensionTypes, extensionOf(name)) ?? typeOfContent(bytes)
}

/**
 * Returns a file as an artifact for the write `createSubmission`. The file's bytes are base64.
 *
 * Example: `toArtifact('haiku.md', new TextEncoder().encode('hi'))` returns
 * `{ fileName: 'haiku.md', mimeType: 'text/markdown', file: 'aGk=' }`.
 */
export function toArtifact(fileName: string, bytes: Uint8Array) {
  return { fileName, mimeType: typeOfFile(fileName, bytes), file: toBase64(bytes) }
}

function findIn(table: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}

function extensionOf(name: string): string {
  const at = name.lastIndexOf('.')
  return at < 0 ? '' : name.slice(at + 1)
}

function typeOfContent(bytes: Uint8Array): string {
  const start = toHex(bytes.subarray(0, 12))
  const bySignature = signatures.find(([hex]) => start.startsWith(hex))
  if (bySignature !== undefined) return bySignature[1]
  if (start.startsWith('52494646') && start.slice(16, 24) === '57454250') return 'image/webp'
  return isText(bytes) ? 'text/plain' : UNKNOWN
}

/** Reports whether the bytes are a text: not empty, valid UTF-8, and without a NUL byte. */
function isText(bytes: Uint8Array): boolean {
  if (bytes.length === 0 || bytes.includes(0)) return false
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
