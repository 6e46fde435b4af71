import { type Code, literal, type Place, readCode } from './code.ts'
import { type Declarations, declarationsOf } from './declarations.ts'
import { type Contracts, readContracts } from './solidity.ts'
import { type MarketTable, readMarketTables, readTableWrites, type TableWrites } from './table-writes.ts'

/** Everything from which questions are answered. Each part is read at its first use. */
export interface Sources {
  code: Code
  declarations: Declarations
  readonly tables: readonly MarketTable[]
  readonly writes: TableWrites
  readonly contracts: Contracts
}

/** A line of an answer. */
export interface Row {
  /** Label of the line. Example: `endpoint`. */
  label: string
  place?: Place
  text?: string
}

/** A kind of name about which a question can be asked. */
export interface Kind {
  /** Title of the kind. Example: `event`. */
  title: string
  /** Lists all names of this kind. */
  names(sources: Sources): readonly string[]
  /** Returns the rows of the answer for one of the names. */
  rows(sources: Sources, name: string): Row[]
}

/** Opens the sources of the repository at `root`. */
export function openSources(root: string): Sources {
  const code = readCode(root)
  const declarations = declarationsOf(code)
  const tables = once(() => readMarketTables(code))
  const writes = once(() => readTableWrites(code, declarations, tables()))
  const contracts = once(() => readContracts(code))
  return {
    code,
    declarations,
    get tables() {
      return tables()
    },
    get writes() {
      return writes()
    },
    get contracts() {
      return contracts()
    },
  }
}

function once<Value>(make: () => Value): () => Value {
  let value: Value | undefined
  return () => {
    value ??= make()
    return value
  }
}

/** An entry of a table in the code, such as the table of settings. The table is an object literal. */
export interface TableEntry extends Place {
  name: string
  /** The entry's source text. */
  text: string
}

/**
 * Lists the entries of the object literals in a file. An entry is recognized by its name, which is indented by two
 * spaces.
 */
export function listEntries(code: Code, path: string, name = /\w+/): TableEntry[] {
  const lines = code.linesOf(path)
  return lines.flatMap((line, index) => {
    const entry = new RegExp(`^ {2}'?(${name.source})'?: [{\\[]`).exec(line)?.[1]
    if (entry === undefined) return []
    const next = lines.findIndex((other, at) => at > index && /^ {0,2}\S/.test(other) && !/^ {2}[}\]]/.test(other))
    return [{ path, line: index + 1, name: entry, text: lines.slice(index, next).join('\n') }]
  })
}

/**
 * Returns the text of an entry's field. Example: for `meaning: 'Port to listen on'`, it returns `Port to listen on`.
 */
export function fieldOf(text: string, field: string): string | undefined {
  const writtenText = new RegExp(
    `\\b${field}:\\s*((?:'(?:[^'\\\\]|\\\\.)*'|"[^"]*"|\`[^\`]*\`)(?:\\s*\\+\\s*'[^']*')*)`,
  ).exec(text)?.[1]
  return writtenText
    ?.replace(/['"]\s*\+\s*['"]/g, '')
    .slice(1, -1)
    .replaceAll("\\'", "'")
}

/** Lists the files that use a word, one row for each file. The file `except` is left out. */
export function listUses(
  code: Code,
  word: string,
  { label, folders, except }: { label: string; folders: string[]; except?: string },
): Row[] {
  const pattern = new RegExp(`(?<![\\w.$-])${literal(word)}(?![\\w-])`, 'm')
  return groupByFile(code.findAll(pattern, ...folders).filter(({ path }) => path !== except)).map((place) => ({
    label,
    ...place,
  }))
}

/** Folders of the programs. */
export const programFolders = [
  'api/',
  'client/src/',
  'graphql/',
  'mcp/',
  'metrics/',
  'ops/',
  'protocol/',
  'settings/',
  'src/',
  'web/',
]

function groupByFile(places: readonly Place[]): { place: Place; text?: string }[] {
  return filesOf(places).map(({ place, lines }) => ({
    place,
    ...(lines > 1 && { text: `and ${lines - 1} more line${lines > 2 ? 's' : ''}` }),
  }))
}

/** Groups places by their file. `place` is the first place in the file, and `lines` the number of places. */
function filesOf(places: readonly Place[]): { place: Place; lines: number }[] {
  const files = new Map<string, { place: Place; lines: number }>()
  for (const place of places) {
    const file = files.get(place.path) ?? { place, lines: 0 }
    file.lines += 1
    files.set(place.path, file)
  }
  return [...files.values()]
}

/** Lists the files in which a pattern occurs most often. At most `most` files are listed. */
export function listMentions(
  code: Code,
  pattern: RegExp,
  { label, folders, most = 6 }: { label: string; folders: string[]; most?: number },
): Row[] {
  const rankedFiles = filesOf(code.findAll(pattern, ...folders)).toSorted((one, other) => other.lines - one.lines)
  const rows: Row[] = rankedFiles.slice(0, most).map(({ place }) => ({ label, place }))
  const others = rankedFiles.length - rows.length
  return others > 0 ? [...rows, { label, text: `and ${others} more file${others > 1 ? 's' : ''}` }] : rows
}
