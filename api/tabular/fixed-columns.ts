import { type Column, columnTypeOf, type TextRow } from './column-types.ts'
import { DECIMAL_DIGITS, microsecondsOf, type TypedColumn, typedColumn } from './typed-columns.ts'

/** A column of a table, by the catalog. */
export interface TableColumn extends Column {
  /** PostgreSQL's number for the precision and scale of `numeric`; -1: any. */
  typeModifier: number
}

/** A column of a file whose kinds follow from the table; the values of a date are days since 1970. */
export type FixedColumn = TypedColumn | { name: string; kind: 'date'; values: (number | null)[] }

/**
 * The decimal places of `numeric` columns without a scale, by name. Others are amounts in base units, without places.
 */
const places: readonly [names: RegExp, places: number][] = [
  [/_usdc$/, 6],
  [/_units$|_rate$|^(mean|median)_|^retention$/, 18],
]

const DAY_MS = 86_400_000

/**
 * Returns the columns of rows with kinds that follow from the table alone, so that all files of a table have one
 * schema. `numeric` is a decimal of 38 digits, with the places of its type or name. A value that does not fit is null
 * there, and is in the text column `<name>_text`. Infinite times, and those outside of the years 1 to 9999, are null.
 */
export function fixedColumns(columns: readonly TableColumn[], rows: readonly TextRow[]): FixedColumn[] {
  return columns.flatMap((column, index): FixedColumn[] => {
    const { name } = column
    const texts = rows.map((row) => row[index] ?? null)
    const { name: type, kind, isArray } = columnTypeOf(column.typeId)
    if (type === 'date') return [{ name, kind: 'date', values: texts.map(daysOf) }]
    if (isArray || (kind !== 'numeric' && kind !== 'time')) return [typedColumn(column, texts)]
    if (kind === 'time') {
      const toTime = (text: string | null) => (text === null ? null : (microsecondsOf(text) ?? null))
      return [{ name, kind, values: texts.map(toTime) }]
    }
    const scale = scaleOf(column)
    const values = texts.map((text) => (text === null ? null : toUnscaled(text, scale)))
    const unfit = texts.map((text, row) => (values[row] === null ? text : null))
    return [
      { name, kind: 'decimal', scale, values },
      { name: `${name}_text`, kind: 'text', values: unfit },
    ]
  })
}

function scaleOf({ name, typeModifier }: TableColumn): number {
  if (typeModifier < 0) return places.find(([names]) => names.test(name))?.[1] ?? 0
  // Precision in the upper 16 bits, scale in the lower 11, both shifted by the length of a header.
  return (typeModifier - 4) & 0x7ff
}

function daysOf(text: string | null): number | null {
  return text !== null && /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) / DAY_MS : null
}

/**
 * Returns the value times 10^scale; null for too many digits or another text. Example: `toUnscaled('1.5', 2)` returns
 * `150n`.
 */
function toUnscaled(text: string, scale: number): bigint | null {
  const [, sign = '', whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined) return null
  const places = fraction.replace(/0+$/, '')
  if (places.length > scale || whole.length + scale > DECIMAL_DIGITS) return null
  return BigInt(sign + whole + places.padEnd(scale, '0'))
}
