import { parseSync } from 'oxc-parser'

/**
 * Returns a source without the texts of its comments. A comment on lines of its own disappears with these lines, and one
 * at the end of a line with the spaces before it, so that none of both counts; one within a line leaves a space.
 * Example: `a\n// why\nb // where\n` becomes `a\nb\n`.
 * @param path decides the language: a file that is no JavaScript or TypeScript is returned as it is
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

/** Returns the length of the blank lines that would double those before a removed comment. */
function lengthOfBlankLines(content: string): number {
  return /^([ \t]*\r?\n)*/.exec(content)?.[0].length ?? 0
}
