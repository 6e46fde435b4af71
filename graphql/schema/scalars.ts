import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql/index.js'
import { limits } from '../limits.ts'

const WHOLE = new RegExp(`^-?\\d{1,${limits.numberDigits}}$`)

/** A whole number of any size, sent as a JSON string. Example: `"1500000"`. */
export const GraphQLBigInt = new GraphQLScalarType<string, string>({
  name: 'BigInt',
  description: 'A whole number, in text: `"1000000"`. An argument may be a number too.',
  serialize: (value) => String(value),
  parseValue: parseWhole,
  parseLiteral: (node: ValueNode) => {
    if (node.kind === Kind.INT || node.kind === Kind.STRING) return parseWhole(node.value)
    throw new GraphQLError('BigInt takes a whole number.', { nodes: node })
  },
})

function parseWhole(value: unknown): string {
  const text = String(value)
  if ((typeof value === 'string' || typeof value === 'number') && WHOLE.test(text)) return text
  throw new GraphQLError(`BigInt takes a whole number of at most ${limits.numberDigits} digits.`)
}

/** A JSON document, sent as it is stored. Filters and groups cannot use columns of this type. */
export const GraphQLJson = new GraphQLScalarType({ name: 'JSON', serialize: (value) => value })
