import { measuring, selecting } from './growth.ts'
import { type Size, workOnKeys } from './sizes.ts'

/** A text of so many bits is the longest number; reading it takes time that grows with the square: as this work. */
const MAX_NUMBER_TEXT = 2 ** 19
const NUMBER_TEXT_WORK = 2 ** 24
/** The logarithm to a base that differs from 1 in its last digit alone. */
const LOGARITHM_WORK = 2 ** 28

/** Types and functions that make jsonb of documents: each sorts the keys of every object. */
const sorting: ReadonlySet<string> = new Set(['to_jsonb', 'jsonb_agg', 'jsonb_build_array', 'jsonb_build_object'])

/** The work of a function, or of a cast to the type of this name, beside reading its arguments. */
export function workOfCall(name: string, sizes: readonly Size[]): number {
  const [first, ...others] = sizes
  if (first === undefined) return 0
  if (name === 'numeric') return workOnNumber(first.bytes)
  if (name === 'numeric[]' || name === '_numeric') return workOnNumbers(first.bytes)
  // Of a text, or of a document.
  if (name === 'jsonb' || name === 'jsonb[]' || name === '_jsonb') return workOnKeys(first.bytes)
  if (sorting.has(name)) return sizes.reduce((sum, { documents }) => sum + workOnKeys(documents), 0)
  // An array of fractions is sorted.
  if (name === 'percentile_cont' || name === 'percentile_disc') return workOnKeys(first.bytes)
  return name === 'log' && others.length > 0 ? LOGARITHM_WORK : 0
}

/** Bytes of the documents of type json in the value of a function, or of a cast. */
export function documentsOf(name: string, whole: Size): number {
  if (name === 'json' || name === 'json[]' || name === '_json') return whole.bytes
  // Its keys come from rows.
  if (name === 'json_object_agg') return Number.POSITIVE_INFINITY
  // Many documents of one size: each is sorted by itself, and their number is not known.
  if (name === 'array_agg' || name === 'json_agg') return whole.documents > 0 ? Number.POSITIVE_INFINITY : 0
  if (measuring.has(name)) return 0
  const isJson = name.includes('json') && !name.includes('jsonb')
  return isJson || selecting.has(name) || name === 'percentile_disc' ? whole.documents : 0
}

function workOnNumber(bytes: number): number {
  return NUMBER_TEXT_WORK * (Math.min(bytes, MAX_NUMBER_TEXT) / MAX_NUMBER_TEXT) ** 2
}

/** Each of them may be the longest number. */
function workOnNumbers(bytes: number): number {
  return workOnNumber(bytes) * Math.max(1, bytes / MAX_NUMBER_TEXT)
}
