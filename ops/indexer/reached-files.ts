import { posix } from 'node:path'
import { type ParseResult, parseSync } from 'oxc-parser'

/** Returns the content of a file, by its path from the root of the repository; throws for a file that does not exist. */
export type ReadFile = (path: string) => string

/**
 * Reads files and every file that they reach by relative imports: `import`, `export ... from` and `import()`, of types too.
 * Returns the contents by path, in the order of the paths.
 * Example: `['ponder.schema.ts']` also reads `src/schema/task.ts`, and `src/schema/position.ts`, which that one imports.
 * @throws when a file does not exist or has a syntax error, or when the path of an `import()` is computed
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
  const { module, errors } = parseSync(path, content)
  const [error] = errors
  if (error !== undefined) throw new Error(`${path} has a syntax error: ${error.message}`)
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
