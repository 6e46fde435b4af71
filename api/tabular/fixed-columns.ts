import { type Column, columnTypeOf, type TextRow } from './column-types.ts'
import { DECIMAL_DIGITS, microsecondsOf, type TypedColumn, typedColumn } from './typed-columns.ts'

/** A column of a table, by the catalog. */
export interface TableColumn extends Column {
  /** PostgreSQL's number for the precision and scale of `numeric`; -1: any. */
  typeModifier: number
}

/** Decimal places of amounts in units, by the ending of a column's name; of others, which are in base units, none. */
const places = { _usdc: 6, _units: 18 }

/**
 * The columns of rows, with kinds that follow from the table alone, so that all files of a table have one schema. `numeric`
 * is a decimal of 38 digits: whole, with 6 places where its name ends with `_usdc`, and with 18 where it ends with `_units`. A
 * value that does not fit is null there and stands in the text column `<name>_text`. Infinite times, and those outside of the
 * years 1 to 9999, are null.
 */
export function fixedColumns(columns: readonly TableColumn[], rows: readonly TextRow[]): TypedColumn[] {
  return columns.flatMap((column, index): TypedColumn[] => {
    const { name } = column
    const texts = rows.map((row) => row[index] ?? null)
    const { kind, isArray } = columnTypeOf(column.typeId)
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
  if (typeModifier < 0) return Object.entries(places).find(([ending]) => name.endsWith(ending))?.[1] ?? 0
  // Precision in the upper 16 bits, scale in the lower 11, both shifted by the length of a header.
  return (typeModifier - 4) & 0x7ff
}

/** The value times 10^scale; null: it has more digits than a decimal, or is none. Example: `'1.5'` with scale 2 is 150. */
function toUnscaled(text: string, scale: number): bigint | null {
  const [, sign = '', whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (whole === undefined) return null
  const places = fraction.replace(/0+$/, '')
  if (places.length > scale || whole.length + scale > DECIMAL_DIGITS) return null
  return BigInt(sign + whole + places.padEnd(scale, '0'))
}
