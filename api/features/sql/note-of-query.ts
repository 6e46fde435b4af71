import type { SqlBody } from './sql.schemas.ts'

/** A literal of 0x and 40 hex digits; one that the query itself turns into lower case is none. */
const ADDRESS_LITERAL = /(?<!\blower\s*\(\s*)'(0x[0-9a-f]{40})'/gi
const ADDRESS = /^0x[0-9a-f]{40}$/i

/**
 * Returns what an answer says about its query; undefined: nothing. Example: `WHERE worker = '0xAB...'` finds no row,
 * as addresses are stored in lower case.
 */
export function noteOfQuery({ query, params }: SqlBody): string | undefined {
  const literals = Array.from(query.matchAll(ADDRESS_LITERAL), ([, literal]) => literal)
  const given = [...literals, ...params.filter((value) => typeof value === 'string' && ADDRESS.test(value))]
  const capital = given.find((text) => typeof text === 'string' && text !== text.toLowerCase())
  return capital === undefined ? undefined : `addresses are stored in lower case: ${capital} has capitals`
}
