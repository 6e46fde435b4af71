/**
 * Characters that show nothing, or change the direction of what follows: controls but line feed and tab, formats, private
 * and lone code units, and letters without a shape. The two joiners stay: scripts and emoji need them.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029\u115f\u1160\u2800\u3164\uffa0]/gu
const KEPT = new Set(['\n', '\t', '\u200c', '\u200d'])
/** Formats that have a shape, before the digits that they belong to. */
const SHAPED = /[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2]/
/** Most texts have nothing to look for. */
const ORDINARY = /^[ -~\n\t]*$/
/** More marks above one letter than any script has. */
const STACKED = /(\p{M}{8})\p{M}+/gu

/** The name of a character that is not seen. Example: `[U+202E]`. */
function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`
}

/**
 * A stranger's text as plain text, with the names of the characters that are not seen: for attributes, feeds and titles.
 * Example: a text with a right-to-left override shows `[U+202E]` in its place.
 */
export function plain(text: string): string {
  if (ORDINARY.test(text)) return text
  const unified = text.replaceAll('\r\n', '\n').replace(STACKED, '$1')
  return unified.replace(UNSEEN, (character) =>
    KEPT.has(character) || SHAPED.test(character) ? character : nameOf(character),
  )
}

/** A text of at most `length` characters, cut at a word, with an ellipsis where something is left out. */
export function cut(text: string, length: number): string {
  const characters = [...text]
  if (characters.length <= length) return text
  const head = characters.slice(0, length - 1).join('')
  const space = head.lastIndexOf(' ')
  return `${space > length / 2 ? head.slice(0, space) : head}…`
}

/** A description in two parts, as pages show it. */
export interface TitledText {
  /** Safe to show, as by `plain`. */
  title: string
  /** A stranger's text as it came, without the title; the whole of it where the title is cut. */
  body: string
}

const TITLE_LENGTH = 120

/**
 * The title of a description: its first line, without the marks of a heading.
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

/** One line of a longer text, without the marks of lists and headings. */
export function excerpt(text: string, length = 160): string {
  const line = text
    .replace(/^[\s>*#+-]+/gm, '')
    .replace(/[`*_]{1,3}(\S[^`*_]*)[`*_]{1,3}/g, '$1')
    .replace(/\s+/g, ' ')
  return cut(line.trim(), length)
}
