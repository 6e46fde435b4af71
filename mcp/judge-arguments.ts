import { Ajv, addFormats } from '@modelcontextprotocol/server/validators/ajv'
import { findNearest } from '../protocol/text/find-nearest.ts'
import { shownName } from './prototype-names.ts'

/** A JSON Schema of an object, the form of a tool's input schema. */
export interface ArgumentSchema {
  properties?: Readonly<Record<string, unknown>>
  required?: readonly string[]
}

/** An invalid argument: its name, and the message for the caller. */
export interface ArgumentProblem {
  argument: string
  message: string
}

const ajv = new Ajv({ strict: false, validateSchema: false, allErrors: true })
addFormats(ajv)
type Judge = ReturnType<typeof ajv.compile>
type Fault = NonNullable<Judge['errors']>[number]
const judges = new WeakMap<object, Judge>()

/**
 * Finds the first invalid argument of a tool call; null if all are valid. The function does not guess or convert
 * values. An unknown name, a missing argument, a null and a value of another type are problems.
 *
 * Example: `{limit: '5'}` gives `{argument: 'limit', message: 'limit must be integer.'}`.
 */
export function findArgumentProblem(schema: ArgumentSchema, callArguments: unknown): ArgumentProblem | null {
  if (typeof callArguments !== 'object' || callArguments === null || Array.isArray(callArguments)) {
    return { argument: 'arguments', message: 'The arguments must be an object.' }
  }
  const properties = schema.properties ?? {}
  const names = Object.keys(callArguments)
  const unknownName = names.find((name) => !Object.hasOwn(properties, name))
  if (unknownName !== undefined) return unknownArgument(unknownName, Object.keys(properties))
  const missingName = schema.required?.find((name) => !Object.hasOwn(callArguments, name))
  if (missingName !== undefined) return { argument: missingName, message: `${missingName} is needed.` }
  for (const [name, value] of Object.entries(callArguments)) {
    const isNeeded = schema.required?.includes(name) ?? false
    const message = judge(properties[name], value, { name, isNeeded })
    if (message !== null) return { argument: name, message }
  }
  return null
}

/**
 * Returns the error body for an invalid argument. The body has the form of the API's errors. Both MCP servers (the
 * service's and the client package's) use this function.
 *
 * Example: `{error: 'limit must be integer.', code: 'BAD_REQUEST', service: {reason: 'unclassified'}, issues: [{path:
 * 'limit', message: 'limit must be integer.'}]}`.
 */
export function argumentRefusal({ argument, message }: ArgumentProblem) {
  return {
    error: message,
    code: 'BAD_REQUEST',
    service: { reason: 'unclassified' },
    issues: [{ path: argument, message }],
  }
}

function unknownArgument(name: string, knownNames: readonly string[]): ArgumentProblem {
  const shownArgument = shownName(name).slice(0, 100)
  const nearestName = findNearest(name, knownNames)
  const hint =
    nearestName === null ? `its arguments are: ${knownNames.join(', ') || 'none'}` : `did you mean ${nearestName}?`
  return {
    argument: shownArgument,
    message: `There is no argument ${shownArgument}; ${hint}${nearestName === null ? '.' : ''}`,
  }
}

function judge(
  schema: unknown,
  value: unknown,
  { name, isNeeded }: { name: string; isNeeded: boolean },
): string | null {
  if (value === null && !isNeeded && !takesNull(schema)) return `${name} is null; leave it out instead.`
  if (typeof schema !== 'object' || schema === null) return null
  let check = judges.get(schema)
  if (check === undefined) {
    check = ajv.compile(schema)
    judges.set(schema, check)
  }
  if (check(value)) return hasBrokenText(value) ? `${name} has half of a surrogate pair.` : null
  return `${(check.errors ?? []).map((fault) => `${name}${fault.instancePath} ${demandOf(fault)}`).join(', ')}.`
}

/**
 * Returns the requirement that a value violates. For an enum, the function adds the allowed values, which Ajv's own
 * message does not contain.
 */
function demandOf({ keyword, params, message = 'is not valid' }: Fault): string {
  if (keyword === 'enum') return `must be one of ${(params.allowedValues as unknown[]).join(', ')}`
  if (keyword === 'const') return `must be ${String(params.allowedValue)}`
  return message
}

function takesNull(schema: unknown): boolean {
  return /"null"/.test(JSON.stringify(schema))
}

/**
 * Matches a lone surrogate. With the flag `u`, a complete surrogate pair is one character of another category and does
 * not match.
 */
const LONE_SURROGATE = /\p{Surrogate}/u

/** Returns whether a value contains a lone surrogate, which neither a URL nor UTF-8 can represent. */
function hasBrokenText(value: unknown): boolean {
  if (typeof value === 'string') return LONE_SURROGATE.test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, part]) => LONE_SURROGATE.test(name) || hasBrokenText(part))
}
