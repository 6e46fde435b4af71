import type { SqlBody } from './sql.schemas.ts'

/**
 * The pattern that finds string literals in SQL. Group `text`: quoted literals. Group `dollar`: dollar-quoted literals.
 * The pattern also matches comments and quoted names, without a group. A quote inside a comment or a quoted name is
 * thereby not taken for the start of a literal.
 */
const QUOTED =
  /--[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"]|"")*"|'(?<text>(?:[^']|'')*)'|(?<tag>\$(?:[A-Za-z_]\w*)?\$)(?<dollar>[\s\S]*?)\k<tag>/g
const ADDRESS = /^0x[0-9a-f]{40}$/i
/**
 * The pattern of a text that ends with `lower(`. If a literal follows such a text, the query itself converts the
 * literal to lower case.
 */
const LOWERED = /\blower\s*\(\s*$/i
/** The number of characters before a literal that are checked for `lower(`. */
const BEFORE = 50

/**
 * Returns a note if a successful query contains an address with capital letters, such as `WHERE worker = '0xAB...'`.
 * Returns undefined if it does not. Stored addresses are in lower case, so such a condition finds no row.
 */
export function noteOfQuery({ query, params }: SqlBody): string | undefined {
  const literals = Array.from(query.matchAll(QUOTED), ({ groups = {}, index }) => {
    const isLowered = LOWERED.test(query.slice(Math.max(0, index - BEFORE), index))
    return isLowered ? undefined : (groups.text ?? groups.dollar)
  })
  const capital = [...literals, ...params].find(
    (text) => typeof text === 'string' && ADDRESS.test(text) && text !== text.toLowerCase(),
  )
  return capital === undefined ? undefined : `addresses are stored in lower case: ${capital} has capitals`
}
