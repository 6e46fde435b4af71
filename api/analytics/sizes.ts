/** An upper bound of a value, and of the expression that the planner makes of it. */
export interface Size {
  /** Bytes of the value; infinite when they follow from the number of rows. */
  bytes: number
  /** Nodes of the expression after subqueries are pulled up into it: each reference stands for all of its source. */
  nodes: number
  /** What that expression goes through without a look for cancellation, in the time of reading as many bytes. */
  work: number
  /** Bytes of the documents of type json in it, whose keys a client may have chosen: a cast to jsonb sorts them. */
  documents: number
}

/** A column of a table: a text comes from a transaction, which holds less than this. */
/** The keys of the json columns are those of the contracts' events. */
export const TABLE_COLUMN: Size = { bytes: 1_048_576, nodes: 1, work: 0, documents: 0 }
/** The text of a number, such as 1e131071. */
export const NUMBER_BYTES = 131_072
export const UNBOUNDED: Size = {
  bytes: Number.POSITIVE_INFINITY,
  nodes: 1,
  work: 0,
  documents: Number.POSITIVE_INFINITY,
}

/** The columns of a source of rows or of a subquery. */
export interface Columns {
  /** In order; the name is empty where PostgreSQL makes one up. */
  list: readonly { name: string; size: Size }[]
  /** Of a column that is not listed, as of a table; null: there is none. */
  rest: Size | null
}

/** A source in FROM. */
export interface Source {
  /** Its alias or table; empty: none. */
  name: string
  columns: Columns
}

/** Both values side by side. */
export function sumOf(sizes: readonly Size[]): Size {
  return {
    bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
    nodes: sizes.reduce((sum, { nodes }) => sum + nodes, 1),
    work: sizes.reduce((sum, { work }) => sum + work, 0),
    documents: sizes.reduce((sum, { documents }) => sum + documents, 0),
  }
}

/** An expression that PostgreSQL writes out and computes so many times. */
export function timesOf(size: Size, times: number): Size {
  return { ...size, nodes: size.nodes * times, work: size.work * times }
}

/** Either value. */
export function largestOf(sizes: readonly Size[]): Size {
  return {
    bytes: Math.max(0, ...sizes.map(({ bytes }) => bytes)),
    nodes: Math.max(1, ...sizes.map(({ nodes }) => nodes)),
    work: Math.max(0, ...sizes.map(({ work }) => work)),
    documents: Math.max(0, ...sizes.map(({ documents }) => documents)),
  }
}

/** A whole row of the columns. */
export function rowOf({ list, rest }: Columns): Size {
  return quotedOf(sumOf([...list.map(({ size }) => size), ...(rest === null ? [] : [rest])]))
}

/** A row or an array of the value: its text doubles every quote and backslash, once more for each row around it. */
export function quotedOf(size: Size): Size {
  return { ...size, bytes: 2 * size.bytes }
}

/** The column of that name: of several the largest, and with names unknown any of these; null: there is none. */
export function columnOf({ list, rest }: Columns, name: string): Size | null {
  const named = list.filter((column) => column.name === name)
  if (named.length > 0) return largestOf(named.map(({ size }) => size))
  const unnamed = list.filter((column) => column.name === '').map(({ size }) => size)
  if (rest !== null) unnamed.push(rest)
  return unnamed.length === 0 ? null : largestOf(unnamed)
}

/** The columns under the names of an alias: `AS t (a, b)`. */
export function renamed(columns: Columns, names: readonly string[]): Columns {
  if (names.length === 0) return columns
  // Positions are unknown behind a `*`.
  const any = columns.rest === null ? null : rowOf(columns)
  const list = [...columns.list]
  const first = names.map((name, index) => ({ name, size: any ?? list[index]?.size ?? rowOf(columns) }))
  return { list: [...first, ...list.slice(names.length)], rest: columns.rest }
}

/** Rows of either side: UNION and the like. */
export function unionOf(left: Columns, right: Columns): Columns {
  const any = largestOf([...left.list, ...right.list].map(({ size }) => size))
  const rests = [left.rest, right.rest].filter((rest) => rest !== null)
  const size = rests.length === 0 ? any : largestOf([any, ...rests])
  return { list: left.list.map(({ name }) => ({ name, size })), rest: rests.length === 0 ? null : size }
}

/** The columns of a subquery that the planner keeps apart: a reference to one stands for itself. */
export function asBarrier({ list, rest }: Columns): Columns {
  return {
    list: list.map(({ name, size }) => ({ name, size: { ...size, nodes: 1, work: 0 } })),
    rest: rest === null ? null : { ...rest, nodes: 1, work: 0 },
  }
}

/** Of a value that is made of many rows: a process of the server has no memory for more. */
const LARGEST_BYTES = 2 ** 26
/** Of any operation: a product or remainder of the longest numbers takes a tenth of a second. */
const OPERATION_WORK = 2 ** 21

/** The work of one call, operator or cast. */
export function workOn(bytes: number): number {
  return OPERATION_WORK + Math.min(bytes, LARGEST_BYTES)
}

/** A key of a document, or an element of an array of texts, with what separates it from the next one. */
const KEY_BYTES = 8
/** PostgreSQL's quicksort of keys in the worst order takes two seconds for 60,000; it looks for no cancellation. */
const WORK_PER_KEYS_SQUARED = 2 ** 27 / 60_000 ** 2

/** The work of sorting the keys or elements of a value, in the order that takes the longest. */
export function workOnKeys(bytes: number): number {
  return WORK_PER_KEYS_SQUARED * (Math.min(bytes, LARGEST_BYTES) / KEY_BYTES) ** 2
}
