import type { SqlBody } from './sql.schemas.ts'

/** The pattern of skipped comments and quoted names, and of the two forms of a literal. */
const QUOTED =
  /--[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"]|"")*"|'(?<text>(?:[^']|'')*)'|(?<tag>\$(?:[A-Za-z_]\w*)?\$)(?<dollar>[\s\S]*?)\k<tag>/g
const ADDRESS = /^0x[0-9a-f]{40}$/i
/** The text before a literal that the query itself converts to lower case. */
const LOWERED = /\blower\s*\(\s*$/i
/** The number of characters checked before a literal. */
const BEFORE = 50

/**
 * Returns a note about a successful query, or undefined. Example: `WHERE worker = '0xAB...'` finds no row, because
 * addresses are stored in lower case.
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
