import fc from 'fast-check'

/** The parts of JSON Schema that the document uses. */
export interface Schema {
  $ref?: string
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  maxItems?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  contentEncoding?: string
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  default?: unknown
}

/** Texts with a meaning in the service under test, for a field of this name and schema; may be empty. */
export type KnownTexts = (name: string, schema: Schema) => readonly string[]

interface Context {
  known: KnownTexts
  resolve: (reference: string) => Schema
}

/** Values of a schema; mostly existing ones where the service has some. */
export function schemaArbitrary(schema: Schema, context: Context, name = ''): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return schemaArbitrary(context.resolve(schema.$ref), context, name)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((each) => schemaArbitrary(each, context, name)))
  switch (schema.type) {
    case 'object':
      return objectArbitrary(schema, context)
    case 'array':
      return fc.array(schemaArbitrary(schema.items ?? {}, context, name), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 4, (schema.minItems ?? 0) + 4),
      })
    case 'string':
      return textArbitrary(schema, context, name)
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1_000_000, max: schema.maximum ?? 1_000_000 })
    case 'number':
      return numberArbitrary(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case undefined:
      return fc.jsonValue()
    default:
      throw new Error(`no values are known of the type ${schema.type}`)
  }
}

function objectArbitrary({ properties = {}, required = [] }: Schema, context: Context): fc.Arbitrary<unknown> {
  const fields = Object.entries(properties).map(([name, field]) => [name, schemaArbitrary(field, context, name)])
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: required })
}

function numberArbitrary({ minimum, exclusiveMinimum, maximum = 1e9 }: Schema): fc.Arbitrary<number> {
  const min = exclusiveMinimum ?? minimum ?? -1e9
  return fc.oneof(
    fc.integer({ min: Math.floor(min) + 1, max: Math.min(maximum, 200) }),
    fc.double({ min, max: maximum, minExcluded: exclusiveMinimum !== undefined, noNaN: true }),
  )
}

function textArbitrary(schema: Schema, { known }: Context, name: string): fc.Arbitrary<string> {
  const texts = known(name, schema)
  const made = madeText(schema)
  return texts.length === 0
    ? made
    : fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...texts) }, { weight: 1, arbitrary: made })
}

function madeText(schema: Schema): fc.Arbitrary<string> {
  const { pattern, format, contentEncoding, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema
  const fits = (text: string) => [...text].length >= minLength && [...text].length <= maxLength
  if (contentEncoding === 'base64') return fc.base64String({ minLength: 4 })
  if (format === 'uuid') return fc.uuid()
  if (format === 'date-time')
    return fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((date) => date.toISOString())
  if (pattern !== undefined) return matching(pattern).filter(fits)
  // Any script, without text that cannot be stored: NUL and half a character are hostile input.
  return fc
    .string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 40) })
    .map((text) => text.replaceAll('\0', ''))
    .filter(fits)
}

const byPattern = new Map<string, fc.Arbitrary<string>>()

/** Made once a pattern: fast-check tries the pattern on a list of texts first, which takes milliseconds. */
function matching(pattern: string): fc.Arbitrary<string> {
  const made = byPattern.get(pattern) ?? fc.stringMatching(new RegExp(pattern))
  byPattern.set(pattern, made)
  return made
}
