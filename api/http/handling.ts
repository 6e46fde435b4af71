import type { Context, MiddlewareHandler } from 'hono'
import type { ZodType } from 'zod'
import type { Reason } from '../../protocol/reasons.ts'
import { findNearest } from '../../protocol/text/find-nearest.ts'
import type { FieldIssue } from '../errors/service-error.ts'
import { answerHeaderNames } from './header-names.ts'
import { invalidRequest } from './parse.ts'
import { fieldNamesOf, findUnknownFields, type UnknownField } from './unknown-fields.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** The field and parameter names in the request that the route's schemas do not define. */
    ignoredNames: readonly string[]
  }
}

/**
 * The limits on the names in the header `X-<Service>-Ignored`. `MAX_NAMES`: the largest number of names.
 * `PRINTABLE_NAME`: matches the names that the header may contain.
 */
const MAX_NAMES = 5
const PRINTABLE_NAME = /^[\w.-]{1,40}$/

/**
 * Creates the middleware that lists ignored query parameters and body fields in the header `X-<Service>-Ignored`. See
 * the interface specification, "Corrections after the first build".
 */
export function nameWhatIsIgnored(serviceName: string): MiddlewareHandler {
  const { ignored } = answerHeaderNames(serviceName)
  return async (c, next) => {
    await next()
    const names = c.get('ignoredNames') ?? []
    if (names.length > 0) c.res.headers.set(ignored, names.join(', '))
    if (isStrict(c.req.header('prefer'))) c.res.headers.set('Preference-Applied', 'handling=strict')
  }
}

/** A part of a request and the schema of that part. Without a schema, the route reads no field of the part. */
export interface ReadPart {
  input: unknown
  schema: ZodType | undefined
  /** A second schema whose fields this part may also have. Example: a body may repeat the fields of the path. */
  besides?: ZodType | undefined
}

/**
 * Records the unknown names in a part of a request: the names of fields that the schema of the part does not define. If
 * the part has an unknown name and the request has the header `Prefer: handling=strict`, the function refuses the
 * request instead.
 * @throws ServiceError 400 with the most similar known name for each unknown name
 */
export function checkUnknownFields(c: Context, part: ReadPart, reason: Reason = 'unclassified'): void {
  const unknownFields = listUnknown(part)
  if (unknownFields.length === 0) return
  if (isStrict(c.req.header('prefer'))) throw invalidRequest(unknownFields.map(toIssue), reason, 'unknown_field')
  c.set('ignoredNames', printedNames([...(c.get('ignoredNames') ?? []), ...unknownFields.map(({ path }) => path)]))
}

/**
 * Returns the unknown names in a part of a request: the names of fields that the schema of the part does not define.
 * The result has at most `MAX_NAMES` names, and only names that may be printed (`PRINTABLE_NAME`).
 */
export function ignoredNamesOf(part: ReadPart): readonly string[] {
  return printedNames(listUnknown(part).map(({ path }) => path))
}

function listUnknown({ input, schema, besides }: ReadPart): UnknownField[] {
  const repeatedNames = fieldNamesOf(besides)
  const unknownFields = schema === undefined ? unknownOfNothing(input) : findUnknownFields(schema, input)
  return unknownFields.filter(({ path }) => !repeatedNames.includes(path))
}

function printedNames(paths: readonly string[]): string[] {
  return [...new Set(paths.filter((path) => PRINTABLE_NAME.test(path)))].slice(0, MAX_NAMES)
}

/**
 * Returns true if `Prefer` (RFC 7240) requests strict handling. Example: `isStrict('handling=strict')` returns true.
 */
export function isStrict(prefer: string | undefined): boolean {
  const preferences = (prefer ?? '').split(',').map((preference) => preference.split(';', 1)[0]?.trim().toLowerCase())
  const handling = preferences.find((preference) => /^handling\s*=/.test(preference ?? ''))
  return handling !== undefined && /^handling\s*=\s*"?strict"?$/.test(handling)
}

function unknownOfNothing(input: unknown): UnknownField[] {
  if (typeof input !== 'object' || input === null) return []
  return Object.keys(input)
    .slice(0, MAX_NAMES)
    .map((name) => ({ path: name, prefix: '', name, known: [] }))
}

function toIssue({ path, prefix, name, known }: UnknownField): FieldIssue {
  const nearest = findNearest(name, known)
  return {
    path: PRINTABLE_NAME.test(path) ? path : `${prefix}<unknown>`,
    message: nearest === null ? notKnown(prefix, known) : `did you mean ${prefix}${nearest}?`,
  }
}

function notKnown(prefix: string, knownNames: readonly string[]): string {
  return knownNames.length === 0
    ? 'is not known; the request takes no such names'
    : `is not known; known are ${knownNames.map((name) => `${prefix}${name}`).join(', ')}`
}
