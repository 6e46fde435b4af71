import { type Comment, type ParseResult, parseSync } from 'oxc-parser'

/** The parts of a parsed source file that the name of a schema depends on. */
export interface ParsedSource {
  /** Message of the first syntax error; null if there is none. */
  error: string | null
  module: ParseResult['module']
  comments: readonly Comment[]
}

/** The last parsed content of each file, by path. */
const parsedFiles = new Map<string, { content: string; source: ParsedSource }>()

/**
 * Parses a JavaScript or TypeScript file. If the content of the path is the one that was parsed last, returns the same
 * result: a start of the indexer names its schema twice, and each time reads the imports and the comments of a hundred files.
 */
export function parseSource(path: string, content: string): ParsedSource {
  const last = parsedFiles.get(path)
  if (last?.content === content) return last.source
  const { errors, module, comments } = parseSync(path, content)
  const source = { error: errors[0]?.message ?? null, module, comments }
  parsedFiles.set(path, { content, source })
  return source
}
