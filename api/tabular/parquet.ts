import { ByteWriter, ParquetWriter, parquetWrite, type SchemaElement } from 'hyparquet-writer'
import type { FixedColumn } from './fixed-columns.ts'
import { DECIMAL_DIGITS, type TypedColumn } from './typed-columns.ts'

/** Returns a Parquet file of the columns. Every column is nullable. */
export function parquetFile(columns: readonly TypedColumn[]): Uint8Array {
  const writer = new ByteWriter()
  parquetWrite({ writer, schema: schemaOf(columns), columnData: dataOf(columns) })
  return writer.getBytes()
}

/** A writer of a Parquet file in pieces. Each function returns the next bytes of the file. */
export interface ParquetStream {
  /** Adds rows as one row group. The columns must have the names and kinds that `parquetStream` received. */
  addRows(columns: readonly FixedColumn[]): Uint8Array
  /** Ends the file with its footer. */
  end(): Uint8Array
}

/**
 * Begins a Parquet file. Rows are added later as row groups. The memory use is one row group, plus some hundred bytes
 * for each written column of a row group.
 * @param columns the names and kinds of the columns; their values are not written
 */
export function parquetStream(columns: readonly FixedColumn[]): ParquetStream {
  const writer = new ByteWriter()
  const file = new ParquetWriter({ writer, schema: schemaOf(columns) })
  const take = () => {
    const bytes = writer.getBytes().slice()
    writer.index = 0
    return bytes
  }
  return {
    addRows: (rows) => {
      file.write({ columnData: dataOf(rows), rowGroupSize: rows[0]?.values.length ?? 0 })
      return take()
    },
    end: () => {
      file.finish()
      return take()
    },
  }
}

function schemaOf(columns: readonly FixedColumn[]): SchemaElement[] {
  return [{ name: 'root', num_children: columns.length }, ...columns.map(elementOf)]
}

function dataOf(columns: readonly FixedColumn[]) {
  return columns.map(({ name, values }) => ({ name, data: values }))
}

function elementOf(column: FixedColumn): SchemaElement {
  const { name } = column
  const repetition_type = 'OPTIONAL'
  switch (column.kind) {
    case 'boolean':
      return { name, repetition_type, type: 'BOOLEAN' }
    case 'integer':
      return { name, repetition_type, type: 'INT64' }
    case 'float':
      return { name, repetition_type, type: 'DOUBLE' }
    case 'date':
      return { name, repetition_type, type: 'INT32', converted_type: 'DATE' }
    case 'time':
      return {
        name,
        repetition_type,
        type: 'INT64',
        logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
      }
    case 'decimal': {
      const { scale } = column
      const decimal = { converted_type: 'DECIMAL', precision: DECIMAL_DIGITS, scale } as const
      return { name, repetition_type, type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, ...decimal }
    }
    case 'text':
      return { name, repetition_type, type: 'BYTE_ARRAY', converted_type: 'UTF8' }
  }
}
