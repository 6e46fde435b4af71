import type { z } from 'zod'

/** A field that no schema has: its dotted path, and the known names beside it. */
export interface UnknownField {
  path: string
  /** The path of its parent, with the last dot; empty at the top. */
  prefix: string
  name: string
  known: readonly string[]
}

/** The most reported fields. */
const MAX_FOUND = 10
/** The most visited values: a body of a megabyte can hold more than any schema has. */
const MAX_VISITED = 10_000

/** Returns the fields of an input that its schema ignores, at any depth, at most ten; the input need not be valid. */
export function findUnknownFields(schema: z.core.$ZodType, input: unknown): UnknownField[] {
  const unknownFields: UnknownField[] = []
  let visited = 0
  const visit = (type: z.core.$ZodType, value: unknown, prefix: string): void => {
    visited += 1
    if (unknownFields.length >= MAX_FOUND || visited > MAX_VISITED || typeof value !== 'object' || value === null)
      return
    const { def } = toCore(type)
    if (def.type === 'array' && Array.isArray(value)) {
      for (const [index, item] of value.slice(0, MAX_VISITED).entries()) visit(def.element, item, `${prefix}${index}.`)
    } else if (def.type === 'object' && isPlain(value)) {
      // A schema with a catchall ignores no field.
      if (def.catchall !== undefined) return
      const knownNames = Object.keys(def.shape)
      for (const [name, field] of Object.entries(value)) {
        if (unknownFields.length >= MAX_FOUND) return
        const member = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined
        if (member === undefined) unknownFields.push({ path: `${prefix}${name}`, prefix, name, known: knownNames })
        else visit(member, field, `${prefix}${name}.`)
      }
    }
  }
  visit(schema, input, '')
  return unknownFields
}

/** Returns the names at the top of an object's schema; none for other schemas. */
export function fieldNamesOf(schema: z.core.$ZodType | undefined): string[] {
  if (schema === undefined) return []
  const { def } = toCore(schema)
  return def.type === 'object' ? Object.keys(def.shape) : []
}

type Def = z.core.$ZodTypes['_zod']['def']

/** Returns the schema inside wrappers for optional values, defaults and transforms. */
function toCore(type: z.core.$ZodType): { def: Def } {
  let core = type as unknown as z.core.$ZodTypes
  for (;;) {
    const { def } = core._zod
    switch (def.type) {
      case 'optional':
      case 'nullable':
      case 'default':
      case 'prefault':
      case 'readonly':
      case 'nonoptional':
      case 'catch':
        core = def.innerType as z.core.$ZodTypes
        break
      case 'pipe':
        core = ((def.in as z.core.$ZodTypes)._zod.def.type === 'transform' ? def.out : def.in) as z.core.$ZodTypes
        break
      default:
        return { def }
    }
  }
}

/** Returns true for plain objects; a `SpooledFile` in place of a long text is none. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
