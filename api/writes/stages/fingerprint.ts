import { createHash, type Hash } from 'node:crypto'
import type { AnyWrite, WriteInput } from '../define-write.ts'

/**
 * What a key is bound to: sha-256 of operation, path and body. The body goes in as it was parsed, its fields in order
 * of their names: spelling, order, defaults and unknown fields make no difference.
 */
export function fingerprintOf(write: AnyWrite, input: WriteInput<unknown, unknown>): Buffer {
  const hash = createHash('sha256')
  update(hash, [write.operation, write.path, input.params, input.body])
  return hash.digest()
}

/** Feeds a value to the hash piece by piece: a submission's files are too large to be copied into one text. */
function update(hash: Hash, value: unknown): void {
  if (value instanceof Uint8Array) hash.update(`bytes ${value.length}:`).update(value)
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
