import { type Code, endOf, lineAt, type Place } from './code.ts'
import type { Declaration, Declarations } from './declarations.ts'

/** A table of the indexer, read from its schema. */
export interface MarketTable extends Place {
  /** Name of the table in SQL. Example: `task_entry`. */
  name: string
  /** Name of the constant that declares the table. Example: `taskEntry`. */
  constant: string
  /** The lines that declare the columns, by the columns' names in the code. Example: `activeSubmissionCount`. */
  columns: ReadonlyMap<string, Place>
}

/** A place in the code that writes a column. */
export interface ColumnWrite extends Place {
  table: string
  /** Name of the column in the code. Example: `activeSubmissionCount`. */
  column: string
}

/** Reads the tables of `src/schema`. */
export function readMarketTables(code: Code): MarketTable[] {
  const position = columnsIn('src/schema/position.ts', code.textOf('src/schema/position.ts'), 0)
  return code.paths
    .filter((path) => path.startsWith('src/schema/'))
    .flatMap((path) => {
      const text = code.textOf(path)
      return [...text.matchAll(/^export const (\w+) = onchainTable\(\s*'(\w+)',[\s\S]*?^\}?\)/gm)].map(
        ({ 0: body, 1: constant = '', 2: name = '', index }) => {
          const sharedColumns = body.includes('...position(t)') ? position : []
          const columns = new Map([...columnsIn(path, body, lineAt(text, index) - 1), ...sharedColumns])
          return { path, line: lineAt(text, index), name, constant, columns }
        },
      )
    })
}

function columnsIn(path: string, body: string, linesBefore: number): [string, Place][] {
  return body.split('\n').flatMap((line, index) => {
    const column = /^\s+(\w+): t[.]\w+\(/.exec(line)?.[1]
    return column === undefined ? [] : [[column, { path, line: linesBefore + index + 1 }] as [string, Place]]
  })
}

/** The columns that the event handlers write. They are found by the calls of Ponder's store. */
export interface TableWrites {
  /** The handlers, by the events for which they are registered. Example: `TaskMarket:TaskCreated`. */
  handlers: ReadonlyMap<string, Declaration>
  /** Lists the columns that a declaration writes, itself or through functions that it calls. */
  writesOf(declaration: Declaration): readonly ColumnWrite[]
}

/** Finds the columns that the handlers of `src` write. @param declarations declarations of the same code */
export function readTableWrites(code: Code, declarations: Declarations, tables: readonly MarketTable[]): TableWrites {
  const byConstant = new Map(tables.map((table) => [table.constant, table]))
  const files = code.paths.filter((path) => /^src\/(handlers|store)\//.test(path))
  const handlers = files
    .flatMap((path) => declarations.in(path))
    .flatMap((declaration) => {
      const event = /^ponder[.]on\('(\w+:\w+)'/.exec(declaration.text)?.[1]
      return event === undefined ? [] : [[event, declaration] as const]
    })
  const isIndexer = ({ path }: Declaration) => path.startsWith('src/')
  const directByDeclaration = new Map<Declaration, Direct>()
  const directOf = (declaration: Declaration): Direct => {
    const knownDirect = directByDeclaration.get(declaration)
    if (knownDirect !== undefined) return knownDirect
    const emptyDirect: Direct = { writes: [], open: new Set() }
    directByDeclaration.set(declaration, emptyDirect)
    const directWrites = readDirect(declaration, { byConstant, declarations, directOf })
    directByDeclaration.set(declaration, directWrites)
    return directWrites
  }
  const writesOf = (declaration: Declaration) => {
    const reachedDeclarations = declarations.reach(
      [declaration],
      (next) => !isIndexer(next) || next.path.startsWith('src/schema/'),
    )
    return reachedDeclarations.flatMap((next) => (isIndexer(next) ? directOf(next).writes : []))
  }
  return { handlers: new Map(handlers), writesOf }
}

interface Direct {
  writes: ColumnWrite[]
  /** Tables into which the declaration writes values that its caller passes. */
  open: ReadonlySet<MarketTable>
}

interface Reading {
  byConstant: ReadonlyMap<string, MarketTable>
  declarations: Declarations
  directOf(declaration: Declaration): Direct
}

/**
 * Finds the columns that a declaration itself writes. They are the keys in `.insert(table).values(...)` and in
 * `.update(table, key).set(...)`. They are also the keys in arguments of functions that write what their caller passes.
 */
function readDirect(declaration: Declaration, reading: Reading): Direct {
  const { text, path, name } = declaration
  const writes = new Map<string, ColumnWrite>()
  const openTables = new Set<MarketTable>()
  const take = (tables: Iterable<MarketTable>, { start, end }: Span) => {
    const passedKeys = keysOf(declaration, { start, end }, reading)
    for (const table of tables) {
      if (passedKeys.isOpen) openTables.add(table)
      for (const [column, place] of passedKeys.keys) {
        if (table.columns.has(column)) writes.set(`${table.name}.${column}`, { ...place, table: table.name, column })
      }
    }
  }
  for (const call of text.matchAll(/[.](?:insert|update)\((\w+)/g)) {
    const table = reading.byConstant.get(reading.declarations.resolve(path, call[1] ?? '')?.name ?? '')
    if (table === undefined) continue
    let end = endOf(text, call.index + call[0].indexOf('('))
    for (let next = chained(text, end); next !== null; next = chained(text, end)) {
      end = endOf(text, next)
      take([table], { start: next, end })
    }
  }
  for (const call of text.matchAll(/(?<![.\w])(\w+)\(/g)) {
    const calledDeclaration = call[1] === name ? undefined : reading.declarations.resolve(path, call[1] ?? '')
    if (calledDeclaration === undefined || !calledDeclaration.path.startsWith('src/')) continue
    const start = call.index + call[0].length - 1
    take(reading.directOf(calledDeclaration).open, { start, end: endOf(text, start) })
  }
  return { writes: [...writes.values()], open: openTables }
}

interface Span {
  start: number
  end: number
}

/**
 * Returns the offset of the opening parenthesis of a chained `.values(`, `.set(` or `.onConflictDoUpdate(`; null if
 * none follows.
 */
function chained(text: string, from: number): number | null {
  const match = /^\s*[.](?:values|set|onConflictDoUpdate)\(/.exec(text.slice(from))
  return match === null ? null : from + match[0].length - 1
}

/**
 * Finds the keys of the object literals in a part of a declaration. Includes the keys in constants and functions that
 * this part uses.
 */
function keysOf(declaration: Declaration, span: Span, reading: Reading, seenWords = new Set<string>()): Passed {
  const { path, line, text } = declaration
  const part = text.slice(span.start, span.end)
  const keys = new Map<string, Place>()
  const offsets = new Map<string, number>()
  for (const { key, at } of literalKeys(part)) {
    keys.set(key, { path, line: line + lineAt(text, span.start + at) - 1 })
    offsets.set(key, at)
  }
  let isOpen = false
  // As in JavaScript, a key that is spread replaces the one before it.
  const include = (innerKeys: Passed, spreadAt = -1) => {
    for (const [key, place] of innerKeys.keys) {
      if (keys.has(key) && spreadAt < (offsets.get(key) ?? 0)) continue
      keys.set(key, place)
      offsets.set(key, spreadAt)
    }
    isOpen ||= innerKeys.isOpen
  }
  for (const { 0: match, 1: word = '', index } of part.matchAll(
    /(?:[.]{3}|[:(,{?]\s*|=>\s*|\s)([a-z]\w*)\b(?!\s*:|[.])/g,
  )) {
    if (seenWords.has(word)) continue
    seenWords.add(word)
    const spreadAt = match.startsWith('...') ? index : undefined
    const constant = constantOf(text, word)
    if (constant !== null) include(keysOf(declaration, constant, reading, seenWords), spreadAt)
    else if (parameters(text).has(word)) isOpen = true
    const calledDeclaration = reading.declarations.resolve(path, word)
    if (calledDeclaration !== undefined && calledDeclaration !== declaration && isFunction(calledDeclaration)) {
      const body = { start: calledDeclaration.text.indexOf('{\n'), end: calledDeclaration.text.length }
      include({ ...keysOf(calledDeclaration, body, reading, seenWords), isOpen: false }, spreadAt)
    }
  }
  return { keys, isOpen }
}

function isFunction({ path, text }: Declaration): boolean {
  return /^(src|protocol\/rules)\//.test(path) && /^(export )?function/.test(text)
}

interface Passed {
  keys: Map<string, Place>
  /** True if the part also contains a parameter of the declaration, whose keys only the caller knows. */
  isOpen: boolean
}

/** Lists the keys of object literals at any depth. Example: `a` and `b` for `{ a: 1, b }`. */
function literalKeys(part: string): { key: string; at: number }[] {
  const keys: { key: string; at: number }[] = []
  const brackets: string[] = []
  for (const { 0: sign, 1: key, index } of part.matchAll(/[([{)\]}]|(?<=[{,]\s*)(\w+)(?=\s*[,:}])/g)) {
    if (key !== undefined) {
      if (brackets.at(-1) === '{') keys.push({ key, at: index })
    } else if ('([{'.includes(sign)) brackets.push(sign)
    else brackets.pop()
  }
  return keys
}

/**
 * Finds the value of a constant in a declaration. The constant may also be the rest (`...name`) of a destructured
 * object.
 */
function constantOf(text: string, name: string): Span | null {
  const match = new RegExp(`^( *)const (?:${name}\\b|\\{[^}]*[.]{3}${name} \\})[^\\n]*?= `, 'm').exec(text)
  if (match === null) return null
  const start = match.index + match[0].length - 1
  const next = new RegExp(`^${match[1]}[\\w/]|^${match[1]?.slice(2)}\\}`, 'm').exec(text.slice(start))
  return { start, end: next === null ? text.length : start + next.index }
}

/** Returns the names of a function's parameters, and the names that the function destructures from them. */
function parameters(text: string): ReadonlySet<string> {
  const start = text.indexOf('(')
  const destructuredNames = [...text.matchAll(/const \{(.*)\} = \w+$/gm)].map(([, names = '']) => names)
  const names = [text.slice(start, endOf(text, start)), ...destructuredNames].join(' ').match(/\w+/g)
  return new Set(names)
}
