import { documentsOf, workOfCall } from './call-work.ts'
import { expansionOf, growing, numbering } from './growth.ts'
import { isTree, listOf, namesOf, type Tree } from './parse-tree.ts'
import {
  type Columns,
  columnOf,
  largestOf,
  renamed,
  rowOf,
  type Size,
  type Source,
  TABLE_COLUMN,
  UNBOUNDED,
  workOn,
} from './sizes.ts'

/** What the columns of a query are looked up in: its sources, then those of the query around it. */
export interface Scope {
  sources: readonly Source[]
  outer: Scope | null
}

/** A source under its alias, or else under its own name. */
export function aliased({ alias }: Tree, ownName: string, columns: Columns): Source {
  if (!isTree(alias)) return { name: ownName, columns }
  return { name: String(alias.aliasname), columns: renamed(columns, namesOf(alias.colnames ?? [])) }
}

/** The name before `.*`, empty for a plain `*`; null: no star. */
export function starOf(node: unknown): string | null {
  if (!isTree(node) || !isTree(node.ColumnRef)) return null
  const parts = listOf(node.ColumnRef.fields)
  const last = parts.at(-1)
  if (!isTree(last) || !('A_Star' in last)) return null
  return parts.length === 1 ? '' : (namesOf(parts).at(-2) ?? '')
}

export function columnNameOf(node: unknown): string {
  return isTree(node) && isTree(node.ColumnRef) ? (namesOf(node.ColumnRef.fields).at(-1) ?? '') : ''
}

/** The sources that a name may mean; all of them when it is empty or names none. */
export function sourcesNamed({ sources, outer }: Scope, name: string): readonly Source[] {
  const named = sources.filter((source) => source.name === name)
  if (name !== '' && named.length === 0 && outer !== null) return sourcesNamed(outer, name)
  return name === '' || named.length === 0 ? sources : named
}

/**
 * A column, a whole row, or a call written as a field of a row. The columns of a table are not known here, so a name
 * that no source lists may also be of a query around.
 */
export function columnSize({ fields }: Tree, scope: Scope): Size {
  const names = namesOf(fields)
  const name = names.at(-1) ?? ''
  const possible: Size[] = []
  for (let at: Scope | null = scope; at !== null; at = at.outer) {
    const sources = names.length > 1 ? sourcesNamed(at, names.at(-2) ?? '') : at.sources
    // Without a name it is `t.*`: a whole row.
    const found = name === '' ? [] : sources.flatMap(({ columns }) => columnOf(columns, name) ?? [])
    const rows = at.sources.filter((source) => source.name === name).map(({ columns }) => rowOf(columns))
    // A table may have a column of any name but these.
    const isCall = names.length > 1 && (found.length === 0 || growing.has(name) || numbering.has(name))
    const calls = isCall ? sources.map(({ columns }) => callOf(name, rowOf(columns))) : []
    possible.push(...found, ...rows, ...calls)
    if (sources.some(({ columns }) => columns.list.some((column) => column.name === name))) break
  }
  return possible.length === 0 ? TABLE_COLUMN : largestOf(possible)
}

function callOf(name: string, argument: Size): Size {
  const { bytes, nodes } = argument
  return {
    nodes: nodes + 1,
    work: argument.work + workOn(bytes) + workOfCall(name, [argument]),
    bytes: growing.has(name) ? UNBOUNDED.bytes : bytes * expansionOf(name),
    documents: documentsOf(name, argument),
  }
}
