import { SpooledFile } from '../../artifacts/received-file.ts'
import type { Spool } from '../../artifacts/temporary-file.ts'
import { ServiceError } from '../../errors/service-error.ts'
import type { LongTextPart } from '../json-parts/long-text.ts'

/** The files that the long texts of a body encode, by their markers. */
export function toFiles(spool: Spool, texts: ReadonlyMap<string, LongTextPart>): Map<string, SpooledFile> {
  return new Map([...texts].map(([marker, part]) => [marker, new SpooledFile(spool, part)]))
}

/**
 * Puts each file into the place of its marker, anywhere in a JSON value that was just parsed.
 * @throws ServiceError 400 when a marker is the name of a field: no route has such names
 */
export function putFiles(value: unknown, files: ReadonlyMap<string, SpooledFile>): unknown {
  if (files.size === 0) return value
  if (typeof value === 'string') return files.get(value) ?? value
  if (typeof value !== 'object' || value === null) return value
  const object = value as Record<string, unknown>
  for (const [name, item] of Object.entries(object)) {
    if (files.has(name))
      throw new ServiceError(400, 'unclassified', 'A name in the body is longer than any field has.', {
        detail: 'invalid_input',
      })
    // The parser made a field of every name, `__proto__` too: setting it sets nothing else.
    object[name] = putFiles(item, files)
  }
  return value
}
