import { type Column, columnTypeOf, type TextRow, toIsoTime } from './column-types.ts'

/** The largest number of decimal digits that Parquet, Arrow and their readers support. */
export const DECIMAL_DIGITS = 38

/**
 * A column of a columnar file. A decimal is stored as its value times 10^scale, a time as microseconds since 1970-01-01
 * UTC. Times without a time zone count as UTC.
 */
export type TypedColumn = { name: string } & (
  | { kind: 'boolean'; values: (boolean | null)[] }
  | { kind: 'integer'; values: (bigint | null)[] }
  | { kind: 'decimal'; scale: number; values: (bigint | null)[] }
  | { kind: 'float'; values: (number | null)[] }
  | { kind: 'time'; values: (bigint | null)[] }
  | { kind: 'text'; values: (string | null)[] }
)

/**
 * Converts the rows of a query result to columns. A `numeric` column becomes a decimal of 38 digits, with as many
 * decimal places as its most precise value needs. A column becomes a text column if the column contains arrays, JSON,
 * or a number or time that the file format cannot store.
 */
export function typedColumns(columns: readonly Column[], rows: readonly TextRow[]): TypedColumn[] {
  return columns.map((column, index) =>
    typedColumn(
      column,
      rows.map((row) => row[index] ?? null),
    ),
  )
}

/** Returns one column from the column's definition and the texts of its values. */
export function typedColumn({ name, typeId }: Column, texts: (string | null)[]): TypedColumn {
  const { kind, isArray } = columnTypeOf(typeId)
  if (isArray) return { name, kind: 'text', values: texts }
  switch (kind) {
    case 'boolean':
      return { name, kind, values: texts.map((text) => (text === null ? null : text === 't')) }
    case 'integer':
    case 'bigint':
      return { name, kind: 'integer', values: texts.map((text) => (text === null ? null : BigInt(text))) }
    case 'float':
      return { name, kind, values: texts.map((text) => (text === null ? null : Number(text))) }
    case 'numeric':
      return { name, ...decimals(texts) }
    case 'time':
      return { name, ...times(texts) }
    default:
      return { name, kind: 'text', values: texts }
  }
}

type Values = { kind: 'text'; values: (string | null)[] }

function decimals(texts: (string | null)[]): Values | { kind: 'decimal'; scale: number; values: (bigint | null)[] } {
  const numbers = texts.filter((text) => text !== null)
  const scale = numbers.reduce((most, text) => Math.max(most, fractionOf(text).length), 0)
  const fits = (text: string) => /^-?\d+(\.\d+)?$/.test(text) && digitsOf(text) + scale <= DECIMAL_DIGITS
  if (!numbers.every(fits)) return { kind: 'text', values: texts }
  const toWhole = (text: string) => BigInt(text.split('.', 1)[0] + fractionOf(text).padEnd(scale, '0'))
  return { kind: 'decimal', scale, values: texts.map((text) => (text === null ? null : toWhole(text))) }
}

function fractionOf(text: string): string {
  return text.split('.')[1] ?? ''
}

/** Returns how many digits a decimal number has before its decimal point. Example: `digitsOf('-12.5')` returns 2. */
function digitsOf(text: string): number {
  return (text.split('.', 1)[0] ?? '').replace('-', '').length
}

/** Returns a column of times, or a text column if a value is infinite or outside the years 1 to 9999. */
function times(texts: (string | null)[]): Values | { kind: 'time'; values: (bigint | null)[] } {
  const values = texts.map((text) => (text === null ? null : microsecondsOf(text)))
  if (values.includes(undefined)) return { kind: 'text', values: texts }
  return { kind: 'time', values: values as (bigint | null)[] }
}

/**
 * Converts PostgreSQL's text of a time to microseconds since 1970-01-01 UTC. Returns undefined for times outside the
 * years 1 to 9999. Example: `microsecondsOf('1970-01-01 00:00:01+00')` returns `1000000n`.
 */
export function microsecondsOf(text: string): bigint | undefined {
  const iso = toIsoTime(text)
  const [, second, fraction = ''] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?Z?$/.exec(iso) ?? []
  if (second === undefined) return undefined
  return BigInt(Date.parse(`${second}Z`)) * 1000n + BigInt(fraction.padEnd(6, '0'))
}
