/**
 * Matches characters that are invisible or change the direction of the following text: control and format characters,
 * private-use and lone surrogate code points, and letters without a shape.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029\u115f\u1160\u2800\u3164\uffa0]/gu
/**
 * Characters that are not replaced although `UNSEEN` matches them. The last two are joiners, which some writing systems
 * and emoji need.
 */
const KEPT = new Set(['\n', '\t', '\u200c', '\u200d'])
/** Matches format characters with a visible shape, such as signs before digits in Arabic texts. */
const SHAPED = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2]/
/**
 * Matches texts that contain only printable ASCII characters, spaces, tabs and line breaks. `plain` returns such a text
 * unchanged.
 */
const ORDINARY = /^[ -~\n\t]*$/
/** Matches more than eight combining marks in a row. No writing system puts this many marks above one letter. */
const STACKED = /(\p{M}{8})\p{M}+/gu

/** Returns the visible name of an invisible character. Example: `[U+202E]`. */
function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
}

/**
 * Makes plain text, for attributes, feeds and titles, from a text that a user of the market wrote. Replaces each
 * invisible character by the name of the character. Example: a right-to-left override in the text becomes `[U+202E]`.
 */
export function plain(text: string): string {
  if (ORDINARY.test(text)) return text
  const unifiedText = text.replaceAll('\r\n', '\n').replace(STACKED, '$1')
  return unifiedText.replace(UNSEEN, (character) =>
    KEPT.has(character) || SHAPED.test(character) ? character : nameOf(character),
  )
}

/**
 * Shortens a text to at most `length` characters, between two words if possible. A shortened text ends with an
 * ellipsis.
 */
export function cut(text: string, length: number): string {
  const characters = [...text]
  if (characters.length <= length) return text
  const head = characters.slice(0, length - 1).join('')
  const space = head.lastIndexOf(' ')
  return `${space > length / 2 ? head.slice(0, space) : head}…`
}

/** A description, divided into its title and the rest. */
export interface TitledText {
  /** Title of the description, with invisible characters already replaced by `plain`. */
  title: string
  /**
   * The rest of the description. Its invisible characters are not replaced. If the title was shortened, the body is the
   * whole description.
   */
  body: string
}

const TITLE_LENGTH = 120

/**
 * Divides a description into its title and the rest. The title is the first line without the marks of a heading.
 * Example: `# Draw a map\n\nIn ink.` has the title `Draw a map` and the body `In ink.`
 */
export function titled(description: string): TitledText {
  const text = description.trim()
  const [first = ''] = text.split('\n', 1)
  const line = first.replace(/^#{1,6}\s+/, '').trim()
  if (line === '') return { title: 'A task without a description', body: text }
  const title = cut(line, TITLE_LENGTH)
  return { title: plain(title), body: title === line ? text.slice(first.length).trim() : text }
}

/** Shortens a text to one line for a list. The marks of lists, headings and emphasis are removed. */
export function excerpt(text: string, length = 160): string {
  const line = text
    .replace(/^[\s>*#+-]+/gm, '')
    .replace(/[`*_]{1,3}(\S[^`*_]*)[`*_]{1,3}/g, '$1')
    .replace(/\s+/g, ' ')
  return cut(line.trim(), length)
}
