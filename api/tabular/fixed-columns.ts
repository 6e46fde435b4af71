import { type Column, columnTypeOf, type TextRow } from './column-types.ts'
import { DECIMAL_DIGITS, microsecondsOf, type TypedColumn, typedColumn } from './typed-columns.ts'

/** A column of a table, as the PostgreSQL catalog describes it. */
export interface TableColumn extends Column {
  /**
   * The type modifier of PostgreSQL: the encoded precision and scale of a `numeric` column. -1 if the column has no
   * precision.
   */
  typeModifier: number
}

/**
 * A column of a file. Its kind depends only on the table's column and not on the values. In a column of the kind
 * `date`, each value is the number of days since 1970-01-01.
 */
export type FixedColumn = TypedColumn | { name: string; kind: 'date'; values: (number | null)[] }

/**
 * The decimal places of `numeric` columns without a scale. `names`: a pattern of column names. If a column matches no
 * pattern, it is an amount in base units and has 0 decimal places.
 */
const places: readonly [names: RegExp, places: number][] = [
  [/_usdc$/, 6],
  [/_units$|_rate$|^(mean|median)_|^retention$/, 18],
]

const DAY_MS = 86_400_000

/**
 * Converts rows to columns of a file. The kinds of the columns depend only on the table, so all files of a table have
 * the same schema. A `numeric` column becomes a decimal of 38 digits. A value that does not fit becomes null, and its
 * text is put in the column `<name>_text`. Infinite times, and times outside the years 1 to 9999, become null.
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
    const unfitTexts = texts.map((text, row) => (values[row] === null ? text : null))
    return [
      { name, kind: 'decimal', scale, values },
      { name: `${name}_text`, kind: 'text', values: unfitTexts },
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
 * Returns the value of a decimal text times 10^scale. Returns null if the text is not a decimal number, or has too many
 * decimal places or digits. Example: `toUnscaled('1.5', 2)` returns `150n`.
 */
function toUnscaled(text: string, scale: number): bigint | null {
  const [, sign = '', whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined) return null
  const places = fraction.replace(/0+$/, '')
  if (places.length > scale || whole.length + scale > DECIMAL_DIGITS) return null
  return BigInt(sign + whole + places.padEnd(scale, '0'))
}
