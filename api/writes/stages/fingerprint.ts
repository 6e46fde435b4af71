import { createHash, createHmac, type Hash } from 'node:crypto'
import { SpooledFile } from '../../artifacts/received-file.ts'
import { toComparedSignature } from '../../chain/signature-forms.ts'
import { deriveKey } from '../../identity/derive-key.ts'
import type { AnyWrite, WriteInput } from '../relayed-write.ts'

/**
 * Returns the fingerprint that a key is bound to in stage 2: sha-256 of operation, path and body. The body is hashed as
 * parsed, with sorted field names, so spelling, order, defaults and unknown fields make no difference. Secrets are
 * hashed with a key of the service (`serviceSecret`), because any reader of the table could guess a password from its
 * plain hash; equal passwords stay equal requests. A file on disk is hashed by its hash.
 */
export function fingerprintOf(write: AnyWrite, input: WriteInput, serviceSecret: string): Buffer {
  const hash = createHash('sha256')
  update(hash, [write.operation, write.path, input.params, coverSecrets(write, toCompared(input.body), serviceSecret)])
  return hash.digest()
}

/** Returns the body with its signature in one form: a smart wallet may repeat a request with another envelope. */
function toCompared(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('signature' in body)) return body
  const { signature } = body
  return typeof signature === 'string' ? { ...body, signature: toComparedSignature(signature) } : body
}

/** Returns the body with a keyed hash in place of each of its secrets. */
function coverSecrets({ secrets = [], operation }: AnyWrite, body: unknown, serviceSecret: string): unknown {
  if (secrets.length === 0 || typeof body !== 'object' || body === null) return body
  const key = deriveKey(serviceSecret, 'request-secret')
  const covered = Object.entries(body).map(([name, value]) =>
    secrets.includes(name) && value !== undefined
      ? [
          name,
          createHmac('sha256', key)
            .update(`${operation}:${name}:${String(value)}`)
            .digest(),
        ]
      : [name, value],
  )
  return Object.fromEntries(covered)
}

/** Feeds a value to the hash piece by piece. */
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
