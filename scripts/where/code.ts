import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A line of a file. The path starts at the root of the repository. Example: `{ path: 'protocol/actions.ts', line: 3 }`.
 */
export interface Place {
  path: string
  /** Number of the line; the first line is 1. */
  line: number
}

/** The text files of the repository. Each file is read once. */
export interface Code {
  /** Paths of all files, sorted. */
  paths: readonly string[]
  /** Returns the content of a file; an empty text for a file that does not exist. */
  textOf(path: string): string
  /** Returns the lines of a file. */
  linesOf(path: string): readonly string[]
  /**
   * Lists the lines that match a pattern, in the files whose paths begin with one of `folders`. Several matches in a
   * line count once.
   */
  findAll(pattern: RegExp, ...folders: string[]): Place[]
}

const folders = [
  'abis',
  'api',
  'client/src',
  'contracts/examples',
  'contracts/hooks',
  'contracts/src',
  'contracts/test',
  'docs',
  'graphql',
  'mcp',
  'metrics',
  'ops',
  'protocol',
  'scripts',
  'settings',
  'src',
  'test',
  'web',
]
const textFile = /[.](ts|mjs|sol|sql|md|yml)$|[/]openapi[.]json$/
const generatedFile = /^web\/generated\/|^client\/src\/api\/|[/]node_modules\//

/** Lists the text files below `root`. A file is read at its first use. */
export function readCode(root: string): Code {
  const paths = folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => `${folder}/${name}`))
    .filter((path) => textFile.test(path) && !generatedFile.test(path))
    .toSorted()
  return codeOf(paths, (path) => readFileSync(join(root, path), 'utf8'))
}

function codeOf(paths: readonly string[], read: (path: string) => string): Code {
  const texts = new Map<string, string>()
  const isListed = new Set(paths)
  const textOf = (path: string) => {
    const text = texts.get(path) ?? (isListed.has(path) ? read(path) : '')
    texts.set(path, text)
    return text
  }
  const lines = new Map<string, string[]>()
  const linesOf = (path: string) => {
    const fileLines = lines.get(path) ?? textOf(path).split('\n')
    lines.set(path, fileLines)
    return fileLines
  }
  return {
    paths,
    textOf,
    linesOf,
    findAll: (pattern, ...below) =>
      paths
        .filter((path) => below.some((folder) => path.startsWith(folder)))
        .filter((path) => pattern.test(textOf(path)))
        .flatMap((path) =>
          linesOf(path).flatMap((line, index) => (pattern.test(line) ? [{ path, line: index + 1 }] : [])),
        ),
  }
}

/**
 * Returns the number of the line that contains an offset of a text; the first line is 1. Example: `lineAt('a\nb', 2)`
 * returns 2.
 */
export function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1
  return line
}

/** Returns a regular expression that matches exactly the given text. Example: `literal('a.b')` returns `a\.b`. */
export function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}

/** Returns the offset after the closing parenthesis that belongs to the opening one at `start`. */
export function endOf(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1
    if (text[at] === ')') depth -= 1
    if (depth === 0) return at + 1
  }
  return text.length
}
