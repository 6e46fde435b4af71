import { createHash, createHmac, type Hash } from 'node:crypto'
import { SpooledFile } from '../../artifacts/received-file.ts'
import { toComparedSignature } from '../../chain/signature-forms.ts'
import { deriveKey } from '../../identity/derive-key.ts'
import type { AnyWrite, WriteInput } from '../relayed-write.ts'

/**
 * Stage 2: what a key is bound to, sha-256 of operation, path and body. The body goes in as it was parsed, its fields
 * in order of their names: spelling, order, defaults and unknown fields make no difference. A plain hash of a password
 * can be guessed fast by any reader of the table, so secrets go in under a key of the service (`serviceSecret`), which
 * the table does not have; the same password is the same request all the same. A file on disk goes in by its hash.
 */
export function fingerprintOf(write: AnyWrite, input: WriteInput, serviceSecret: string): Buffer {
  const hash = createHash('sha256')
  update(hash, [write.operation, write.path, input.params, coverSecrets(write, toCompared(input.body), serviceSecret)])
  return hash.digest()
}

/** The body with its signature in one form: a smart wallet may repeat a request with another envelope around it. */
function toCompared(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !('signature' in body)) return body
  const { signature } = body
  return typeof signature === 'string' ? { ...body, signature: toComparedSignature(signature) } : body
}

/** The body with a keyed hash in the place of each of its secrets. */
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
