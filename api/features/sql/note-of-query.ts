import type { SqlBody } from './sql.schemas.ts'

/** Comments and quoted names, which are skipped, and the two forms of a literal. */
const QUOTED =
  /--[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"]|"")*"|'(?<text>(?:[^']|'')*)'|(?<tag>\$(?:[A-Za-z_]\w*)?\$)(?<dollar>[\s\S]*?)\k<tag>/g
const ADDRESS = /^0x[0-9a-f]{40}$/i
/** The text before a literal that the query itself turns into lower case. */
const LOWERED = /\blower\s*\(\s*$/i
/** Characters before a literal that are looked at. */
const BEFORE = 50

/**
 * Returns what an answer says about a query that was run; undefined: nothing. Example: `WHERE worker = '0xAB...'` finds
 * no row, as addresses are stored in lower case.
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
