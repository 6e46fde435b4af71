import { createHash, createHmac, type Hash } from 'node:crypto'
import { SpooledFile } from '../../artifacts/received-file.ts'
import { toComparedSignature } from '../../chain/signature-forms.ts'
import { deriveKey } from '../../identity/derive-key.ts'
import type { AnyWrite, WriteInput } from '../relayed-write.ts'

/**
 * Returns the fingerprint of a request: the SHA-256 hash of operation, path and body. The order of the fields, the
 * notation of their values (such as upper-case hex), defaults and unknown fields make no difference. The body's secret
 * fields are first replaced by hashes with a key from `serviceSecret`, and files by their hashes.
 */
export function fingerprintOf(write: AnyWrite, input: WriteInput, serviceSecret: string): Buffer {
  // A plain hash of a password would let a reader of the table guess the password.
  const hash = createHash('sha256')
  update(hash, [write.operation, write.path, input.params, coverSecrets(write, toCompared(input.body), serviceSecret)])
  return hash.digest()
}

/**
 * Returns the body with its signature in a canonical form. Reason: a smart wallet may put the signature of a repeated
 * request into a different envelope, and the repeated request must have the same fingerprint.
 */
function toCompared(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('signature' in body)) return body
  const { signature } = body
  return typeof signature === 'string' ? { ...body, signature: toComparedSignature(signature) } : body
}

/** Returns the body with each secret field replaced by the field's keyed hash. */
function coverSecrets({ secrets = [], operation }: AnyWrite, body: unknown, serviceSecret: string): unknown {
  if (secrets.length === 0 || typeof body !== 'object' || body === null) return body
  const key = deriveKey(serviceSecret, 'request-secret')
  const coveredFields = Object.entries(body).map(([name, value]) =>
    secrets.includes(name) && value !== undefined
      ? [
          name,
          createHmac('sha256', key)
            .update(`${operation}:${name}:${String(value)}`)
            .digest(),
        ]
      : [name, value],
  )
  return Object.fromEntries(coveredFields)
}

/** Adds a value to the hash in parts. The whole value is never serialised at once. */
function update(hash: Hash, value: unknown): void {
  if (value instanceof SpooledFile) hash.update(`file ${value.sizeBytes}:${value.hashes.sha256Hash}`)
  else if (value instanceof Uint8Array) hash.update(`bytes ${value.length}:`).update(value)
  else if (Array.isArray(value)) updateArray(hash, value)
  else if (typeof value === 'object' && value !== null) updateObject(hash, value)
  else if (typeof value === 'string') hash.update(`text ${value.length}:`).update(value)
  else hash.update(`${typeof value} ${String(value)};`)
}

function updateArray(hash: Hash, values: unknown[]): void {
  hash.update(`list ${values.length}[`)
  for (const value of values) update(hash, value)
}

function updateObject(hash: Hash, object: object): void {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined)
  hash.update(`object ${entries.length}{`)
  for (const [name, value] of entries.sort(([a], [b]) => (a < b ? -1 : 1))) {
    update(hash, name)
    update(hash, value)
  }
}
