import {
  Bool,
  Decimal,
  Float64,
  Int64,
  makeData,
  Table,
  TimestampMicrosecond,
  tableToIPC,
  Utf8,
  Vector,
  vectorFromArray,
} from 'apache-arrow'
import { DECIMAL_DIGITS, type TypedColumn } from './typed-columns.ts'

/** Returns the columns as an Arrow IPC stream with one record batch. */
export function arrowStream(columns: readonly TypedColumn[]): Uint8Array {
  return tableToIPC(new Table(Object.fromEntries(columns.map((column) => [column.name, vectorOf(column)]))), 'stream')
}

function vectorOf(column: TypedColumn): Vector {
  switch (column.kind) {
    case 'boolean':
      return vectorFromArray(column.values, new Bool())
    case 'float':
      return vectorFromArray(column.values, new Float64())
    case 'text':
      return vectorFromArray(column.values, new Utf8())
    case 'integer':
      return wholeNumbers(column.values, new Int64())
    case 'time':
      return wholeNumbers(column.values, new TimestampMicrosecond('UTC'))
    case 'decimal': {
      const type = new Decimal(column.scale, DECIMAL_DIGITS, 128)
      const data = new Uint32Array(column.values.length * 4)
      for (const [index, value] of column.values.entries()) data.set(wordsOf(value ?? 0n), index * 4)
      return new Vector([makeData({ type, data, ...validity(column.values) })])
    }
  }
}

/**
 * Builds an Arrow vector directly from integers. The builders of the Arrow library convert times to doubles, which lose
 * microseconds.
 */
function wholeNumbers(values: (bigint | null)[], type: Int64 | TimestampMicrosecond): Vector {
  const storedValues = { data: BigInt64Array.from(values, (value) => value ?? 0n), ...validity(values) }
  return type instanceof Int64
    ? new Vector([makeData({ type, ...storedValues })])
    : new Vector([makeData({ type, ...storedValues })])
}

/** Returns the four 32-bit words of a 128-bit number, lowest word first. */
function wordsOf(value: bigint): number[] {
  const unsignedValue = BigInt.asUintN(128, value)
  return [0n, 32n, 64n, 96n].map((shift) => Number((unsignedValue >> shift) & 0xffffffffn))
}

/**
 * Returns the validity bitmap of the values: one bit for each value, lowest bit first. A bit is 0 if its value is null.
 */
function validity(values: readonly unknown[]) {
  const nullBitmap = new Uint8Array(Math.ceil(values.length / 8))
  let nullCount = 0
  for (const [index, value] of values.entries()) {
    if (value === null) nullCount += 1
    else nullBitmap[index >> 3] = (nullBitmap[index >> 3] ?? 0) | (1 << (index & 7))
  }
  return { nullBitmap, nullCount, length: values.length }
}
