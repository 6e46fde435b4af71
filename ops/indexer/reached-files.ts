import { posix } from 'node:path'
import type { ParseResult } from 'oxc-parser'
import { parseSource } from './parsed-source.ts'

/**
 * Returns the content of a file. The path is relative to the root of the repository. Throws if the file does not exist.
 */
export type ReadFile = (path: string) => string

/**
 * Reads the given files, and every file that they reach by relative imports: `import`, `export ... from` and
 * `import()`, also of types. Returns the contents by path, sorted by path.
 *
 * Example: `['ponder.schema.ts']` also reads `src/schema/task.ts`, and then `src/schema/position.ts`, which
 * `src/schema/task.ts` imports.
 * @throws if a file does not exist or has a syntax error, or if the path of an `import()` is computed
 */
export function readReachedFiles(entries: readonly string[], read: ReadFile): Map<string, string> {
  const contents = new Map<string, string>()
  const queue = [...entries]
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (contents.has(path)) continue
    const content = read(path)
    contents.set(path, content)
    queue.push(...listRelativeImports(path, content))
  }
  return new Map([...contents].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function listRelativeImports(path: string, content: string): string[] {
  if (!/\.[cm]?[jt]s$/.test(path)) return []
  const { module, error } = parseSource(path, content)
  if (error !== null) throw new Error(`${path} has a syntax error: ${error}`)
  const specifiers = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.map(({ moduleRequest }) => moduleRequest?.value ?? '')),
    ...module.dynamicImports.map((dynamicImport) => readLiteral(path, content, dynamicImport)),
  ]
  return specifiers
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => posix.join(posix.dirname(path), specifier))
}

type DynamicImport = ParseResult['module']['dynamicImports'][number]

function readLiteral(path: string, content: string, { moduleRequest: { start, end } }: DynamicImport): string {
  const expression = content.slice(start, end)
  const literal = /^(['"`])([^'"`\\$]*)\1$/.exec(expression)?.[2]
  if (literal === undefined) throw new Error(`${path} imports a computed path: ${expression}`)
  return literal
}
