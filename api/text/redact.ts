/** Takes what must not be read out of a text. */
export type Redact = (text: string) => string

/** Hex of more than 32 bytes: signatures, signed transactions, calldata. Hashes, ids and addresses stay. */
const LONG_HEX = /(?:0x)?[0-9a-fA-F]{65,}/g
/** Base64 of JSON, as payments, receipts and grants are sent. */
const BASE64_JSON = /eyJ[A-Za-z0-9+/_=-]{16,}/g
/** Parts of a URL beyond its host, which may be a key of a provider. */
const URL_BEYOND_HOST = /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/@"'\\]*@)?([^\s/?#"'\\]+)(?:[/?#][^\s"'\\]*)?/gi
const REDACTED = '[redacted]'

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

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
