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
    /** Names of the request that no schema has. */
    ignoredNames: readonly string[]
  }
}

/** Most names in the header, and what a name must look like to be printed: a header is no place for anything else. */
const MAX_NAMES = 5
const PRINTABLE_NAME = /^[\w.-]{1,40}$/

/**
 * Unknown query parameters and body fields are ignored, and the answer names them in `X-<Service>-Ignored`.
 * Interface, "Corrections after the first build".
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

/** A part of a request with the schema that it is parsed by; no schema: the route reads nothing of it. */
export interface ReadPart {
  input: unknown
  schema: ZodType | undefined
  /** Whose fields the part may repeat: a body those of the path. */
  besides?: ZodType | undefined
}

/**
 * Notes what the schema ignores of a request; under `Prefer: handling=strict` it refuses.
 * @throws ServiceError 400 naming the nearest known name of each
 */
export function checkUnknownFields(
  c: Context,
  { input, schema, besides }: ReadPart,
  reason: Reason = 'unclassified',
): void {
  const repeated = fieldNamesOf(besides)
  const found = schema === undefined ? unknownOfNothing(input) : findUnknownFields(schema, input)
  const unknown = found.filter(({ path }) => !repeated.includes(path))
  if (unknown.length === 0) return
  if (isStrict(c.req.header('prefer'))) throw invalidRequest(unknown.map(toIssue), reason, 'unknown_field')
  const names = unknown.map(({ path }) => path).filter((path) => PRINTABLE_NAME.test(path))
  c.set('ignoredNames', [...new Set([...(c.get('ignoredNames') ?? []), ...names])].slice(0, MAX_NAMES))
}

/** Whether `Prefer` (RFC 7240) asks for strict handling. */
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

function notKnown(prefix: string, known: readonly string[]): string {
  return known.length === 0
    ? 'is not known; the request takes no such names'
    : `is not known; known are ${known.map((name) => `${prefix}${name}`).join(', ')}`
}
