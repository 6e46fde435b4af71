import type { JsonSchemaType } from '@modelcontextprotocol/server'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv'
import { findNearest } from '../text/find-nearest.ts'

/** A JSON Schema of an object, as tools have it. */
export interface ArgumentSchema {
  properties?: Readonly<Record<string, unknown>>
  required?: readonly string[]
}

/** The argument that is wrong, by its name, and the sentence for the caller. */
export interface ArgumentProblem {
  argument: string
  message: string
}

const validator = new AjvJsonSchemaValidator()
type Judge = ReturnType<AjvJsonSchemaValidator['getValidator']>
const judges = new WeakMap<object, Judge>()

/**
 * Finds the first argument that a tool does not take as it is; null: there is none. Nothing is guessed: an unknown name,
 * a missing one, a null and a value of another type are problems, whatever the rest is.
 *
 * Example: `{limit: '5'}` gives `{argument: 'limit', message: 'limit must be integer.'}`.
 */
export function findArgumentProblem(schema: ArgumentSchema, given: unknown): ArgumentProblem | null {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return { argument: 'arguments', message: 'The arguments must be an object.' }
  }
  const properties = schema.properties ?? {}
  const names = Object.keys(given)
  const unknown = names.find((name) => !Object.hasOwn(properties, name))
  if (unknown !== undefined) return unknownArgument(unknown, Object.keys(properties))
  const missing = schema.required?.find((name) => !Object.hasOwn(given, name))
  if (missing !== undefined) return { argument: missing, message: `${missing} is needed.` }
  for (const [name, value] of Object.entries(given)) {
    const message = judge(properties[name], value, name)
    if (message !== null) return { argument: name, message }
  }
  return null
}

function unknownArgument(name: string, known: readonly string[]): ArgumentProblem {
  const shown = name.slice(0, 100)
  const nearest = findNearest(name, known)
  const hint = nearest === null ? `its arguments are: ${known.join(', ') || 'none'}` : `did you mean ${nearest}?`
  return { argument: shown, message: `There is no argument ${shown}; ${hint}${nearest === null ? '.' : ''}` }
}

function judge(schema: unknown, value: unknown, name: string): string | null {
  if (value === null && !takesNull(schema)) return `${name} is null; leave it out instead.`
  if (typeof schema !== 'object' || schema === null) return null
  let check = judges.get(schema)
  if (check === undefined) {
    check = validator.getValidator(schema as JsonSchemaType)
    judges.set(schema, check)
  }
  const result = check(value)
  if (result.valid) return hasBrokenText(value) ? `${name} has half of a surrogate pair.` : null
  return `${result.errorMessage.replaceAll(/\bdata(?=[/ ])/g, name)}.`
}

function takesNull(schema: unknown): boolean {
  return /"null"/.test(JSON.stringify(schema))
}

/** Half of a pair: with `u`, a whole pair is one character of another category. */
const LONE_SURROGATE = /\p{Surrogate}/u

/** Half of a surrogate pair is no text that a URL or UTF-8 can carry. */
function hasBrokenText(value: unknown): boolean {
  if (typeof value === 'string') return LONE_SURROGATE.test(value)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, part]) => LONE_SURROGATE.test(name) || hasBrokenText(part))
}
