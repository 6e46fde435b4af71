/** A function that removes secrets from a text. */
export type Redact = (text: string) => string

/** The pattern of hex values longer than 32 bytes, such as signatures, signed transactions and calldata. */
const LONG_HEX = /(?:0x)?[0-9a-fA-F]{65,}/g
/** The pattern of base64-encoded JSON objects. Payments, receipts and grants are sent in this form. */
const BASE64_JSON = /eyJ[A-Za-z0-9+/_=-]{16,}/g
/** The pattern of a URL with credentials, path or query. Such a URL may contain the access key of a node provider. */
const URL_BEYOND_HOST = /\b([a-z][a-z0-9+.-]*:\/\/)(?:[^\s/@"'\\]*@)?([^\s/?#"'\\]+)(?:[/?#][^\s"'\\]*)?/gi
const REDACTED = '[redacted]'

/**
 * Creates a function that removes secrets from a text. Signatures, signed bytes and payments are recognized by their
 * form, and `secrets` by their value. Of each URL, only the scheme and the host are kept. Example:
 * `createRedact(['s3cret'])('key s3cret')` returns `'key [redacted]'`.
 */
export function createRedact(secrets: readonly string[]): Redact {
  const secretPattern = secrets.length === 0 ? null : new RegExp(secrets.map(escaped).join('|'), 'gi')
  return (text) => {
    const withoutKnown = secretPattern === null ? text : text.replace(secretPattern, REDACTED)
    return withoutKnown.replace(LONG_HEX, REDACTED).replace(BASE64_JSON, REDACTED).replace(URL_BEYOND_HOST, '$1$2')
  }
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
