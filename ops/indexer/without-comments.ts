import { parseSync } from 'oxc-parser'

/**
 * Returns source code without its comments, so that the hash of the source does not depend on them. A comment on lines
 * of its own is removed with these lines. A comment at the end of a line is removed with the spaces before it. A
 * comment within a line is replaced by a space, or by a line break if the comment contains one.
 * Example: `a\n// why\nb // where\n` becomes `a\nb\n`.
 * @param path path of the file; content that is neither JavaScript nor TypeScript by its path is returned unchanged
 */
export function withoutComments(path: string, content: string): string {
  if (!/\.[cm]?[jt]s$/.test(path)) return content
  let code = ''
  let end = 0
  for (const comment of parseSync(path, content).comments) {
    code += content.slice(end, comment.start)
    end = comment.end
    const restOfLine = /^[ \t]*(\r?\n|$)/.exec(content.slice(end))
    if (restOfLine === null) {
      // A line break in a comment separates statements.
      code += comment.value.includes('\n') ? '\n' : ' '
    } else if (/(^|\n)[ \t]*$/.test(code)) {
      code = code.replace(/[ \t]*$/, '')
      end += restOfLine[0].length
      if (/(^|\n\s*\n)$/.test(code)) end += lengthOfBlankLines(content.slice(end))
    } else {
      code = code.replace(/[ \t]*$/, '')
    }
  }
  return `${(code + content.slice(end)).trimEnd()}\n`
}

/**
 * Returns the length of the blank lines at the start of a text. The caller removes these lines if blank lines also
 * precede the removed comment.
 */
function lengthOfBlankLines(content: string): number {
  return /^([ \t]*\r?\n)*/.exec(content)?.[0].length ?? 0
}
