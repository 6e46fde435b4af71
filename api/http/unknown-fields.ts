import type { z } from 'zod'

/** A field that the schema does not define. `path`: the dotted path. `known`: the defined names at the same level. */
export interface UnknownField {
  path: string
  /**
   * The path of the object that contains the field, followed by a dot. Example: `files.0.`. Empty for a field at the
   * top level.
   */
  prefix: string
  name: string
  known: readonly string[]
}

/** The largest number of unknown fields that are reported. */
const MAX_FOUND = 10
/**
 * The largest number of values in an input that are searched for unknown fields. A valid body has fewer values. The
 * limit bounds the search in an invalid body of up to a megabyte.
 */
const MAX_VISITED = 10_000

/** Returns at most ten fields of an input that the schema ignores, at any depth. The input may be invalid. */
export function findUnknownFields(schema: z.core.$ZodType, input: unknown): UnknownField[] {
  const unknownFields: UnknownField[] = []
  let visitCount = 0
  const visit = (type: z.core.$ZodType, value: unknown, prefix: string): void => {
    visitCount += 1
    if (unknownFields.length >= MAX_FOUND || visitCount > MAX_VISITED || typeof value !== 'object' || value === null)
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

/** Returns the field names at the top level of an object's schema. For other schemas returns an empty list. */
export function fieldNamesOf(schema: z.core.$ZodType | undefined): string[] {
  if (schema === undefined) return []
  const { def } = toCore(schema)
  return def.type === 'object' ? Object.keys(def.shape) : []
}

type Def = z.core.$ZodTypes['_zod']['def']

/**
 * Removes the wrappers of a schema (for an optional value, a default or a transform, for example), and returns the
 * schema inside.
 */
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

/** Returns true for plain objects. A `SpooledFile`, which replaces a long text, is not a plain object. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
