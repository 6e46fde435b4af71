import type { Config } from '../config.ts'

/** Takes what must not be read out of a text. */
export type Redact = (text: string) => string

/** Hex of more than 32 bytes: signatures, signed transactions, calldata. Hashes, ids and addresses stay. */
const LONG_HEX = /(?:0x)?[0-9a-fA-F]{65,}/g
/** Base64 of JSON, as payments, receipts and grants are sent. */
const BASE64_JSON = /eyJ[A-Za-z0-9+/_=-]{16,}/g
/** What a URL says beyond its host may be a key of a provider. */
const URL_BEYOND_HOST = /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/@"'\\]*@)?([^\s/?#"'\\]+)(?:[/?#][^\s"'\\]*)?/gi
const REDACTED = '[redacted]'
/** Shorter parts of a URL (`v1`, `postgres`) are words that lines are made of; the URL itself is cut in any case. */
const SHORTEST_SECRET = 9

/**
 * Redacts by form what looks like a signature, signed bytes or a payment, and by value what this process was given to
 * keep. URLs keep their scheme and host: enough to see which service did not answer.
 */
export function createRedact(secrets: readonly string[]): Redact {
  const known = secrets.length === 0 ? null : new RegExp(secrets.map(escaped).join('|'), 'gi')
  return (text) => {
    const withoutKnown = known === null ? text : text.replace(known, REDACTED)
    return withoutKnown.replace(LONG_HEX, REDACTED).replace(BASE64_JSON, REDACTED).replace(URL_BEYOND_HOST, '$1$2')
  }
}

/** What the settings hold that no log may show: keys, secrets, and what is secret in URLs. */
export function secretsOf(
  config: Pick<
    Config,
    | 'DATABASE_URL'
    | 'READER_DATABASE_URL'
    | 'RELAYER_KEYS'
    | 'URL_SIGNING_SECRET'
    | 'DEVICE_KEY_SECRET'
    | 'RPC_URLS'
    | 'S3_ACCESS_KEY_ID'
    | 'S3_SECRET_ACCESS_KEY'
  >,
): string[] {
  const keys = config.RELAYER_KEYS.map((key) => key.slice(2))
  const parts = [config.DATABASE_URL, config.READER_DATABASE_URL ?? '', ...config.RPC_URLS].flatMap(secretPartsOf)
  const storage = [config.S3_ACCESS_KEY_ID ?? '', config.S3_SECRET_ACCESS_KEY ?? '']
  const secrets = [...keys, config.URL_SIGNING_SECRET, ...config.DEVICE_KEY_SECRET, ...parts, ...storage]
  return [...new Set(secrets)].filter((secret) => secret !== '')
}

/** Password, path segments and query values, as written and as decoded. Host and database name are no secret. */
function secretPartsOf(text: string): string[] {
  if (!URL.canParse(text)) return []
  const { password, pathname, searchParams, protocol } = new URL(text)
  const isDatabase = protocol.startsWith('postgres')
  const parts = [password, ...(isDatabase ? [] : pathname.split('/')), ...searchParams.values()]
  return parts.filter((part) => part.length >= SHORTEST_SECRET).flatMap((part) => [part, decoded(part)])
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
