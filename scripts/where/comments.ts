import type { Code, Place } from './code.ts'

/** The comment above a declaration of TypeScript or Solidity, as one line without comment marks. */
interface Comment {
  whole: string
  /** The text without its example. For a NatSpec comment: the text of `@notice`. */
  notice: string
  firstSentence: string
}

/** Reads the comment that ends in the line before the given one. All texts are empty if there is no comment. */
export function commentAbove(code: Code, { path, line }: Place): Comment {
  const whole = textAbove(code.linesOf(path), line - 1)
  const notice = whole
    .replace(/^@(?:notice|dev|title) /, '')
    .replace(/(?: @(?:param|return|dev|notice|example)\b| Example: ).*$/, '')
    .trim()
  return { whole, notice, firstSentence: /^.*?[.](?= |$)/.exec(notice)?.[0] ?? notice }
}

function textAbove(lines: readonly string[], index: number): string {
  let start = index - 1
  while (/^\s*(?:\*|\/\/\/(?! @(?:notice|dev|title)))/.test(lines[start] ?? '')) start -= 1
  if (!/^\s*(?:\/\*\*|\/\/\/ @)/.test(lines[start] ?? '')) return ''
  return lines
    .slice(start, index)
    .map((line) => line.replace(/^\s*(?:\/\*\*|\*(?!\/)|\/\/\/)? ?|\s*\*\/\s*$/g, ''))
    .join(' ')
    .trim()
}
