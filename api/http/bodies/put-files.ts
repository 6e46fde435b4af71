import { SpooledFile } from '../../artifacts/received-file.ts'
import type { Spool } from '../../artifacts/temporary-file.ts'
import { ServiceError } from '../../errors/service-error.ts'
import type { LongTextPart } from '../json-parts/long-text.ts'

/**
 * Creates a file for each long text of a body. The keys of the result are the markers: the strings that replace the
 * texts in the body.
 */
export function toFiles(spool: Spool, texts: ReadonlyMap<string, LongTextPart>): Map<string, SpooledFile> {
  return new Map([...texts].map(([marker, part]) => [marker, new SpooledFile(spool, part)]))
}

/**
 * Replaces each marker in a parsed JSON value by its file. A marker is the string that replaced a long text. A long
 * text in the place of a field name is refused, because no field has such a long name.
 * @throws ServiceError 400 if the name of a field is a marker
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
    // The parser created every name as an own field, `__proto__` too, so the assignment is safe.
    object[name] = putFiles(item, files)
  }
  return value
}
