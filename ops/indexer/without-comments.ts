import { parseSource } from './parsed-source.ts'

/**
 * Returns source code without its comments, so that the hash of the source does not depend on comments. If a line
 * contains only a comment, removes the whole line. Example: `a\n// why\nb // where\n` becomes `a\nb\n`.
 * @param path path of the file; only the content of a JavaScript or TypeScript file is changed
 */
export function withoutComments(path: string, content: string): string {
  if (!/\.[cm]?[jt]s$/.test(path)) return content
  let code = ''
  let end = 0
  for (const comment of parseSource(path, content).comments) {
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
 * Returns the length of the blank lines at the start of the text that follows a comment. The caller removes these lines
 * if blank lines also precede the comment.
 */
function lengthOfBlankLines(content: string): number {
  return /^([ \t]*\r?\n)*/.exec(content)?.[0].length ?? 0
}
