import { ByteWriter, parquetWrite, type SchemaElement } from 'hyparquet-writer'
import { DECIMAL_DIGITS, type TypedColumn } from './typed-columns.ts'

/** A Parquet file of the columns. Every column may have nulls. */
export function parquetFile(columns: readonly TypedColumn[]): Uint8Array {
  const writer = new ByteWriter()
  parquetWrite({
    writer,
    schema: [{ name: 'root', num_children: columns.length }, ...columns.map(elementOf)],
    columnData: columns.map(({ name, values }) => ({ name, data: values })),
  })
  return writer.getBytes()
}

function elementOf(column: TypedColumn): SchemaElement {
  const { name } = column
  const repetition_type = 'OPTIONAL'
  switch (column.kind) {
    case 'boolean':
      return { name, repetition_type, type: 'BOOLEAN' }
    case 'integer':
      return { name, repetition_type, type: 'INT64' }
    case 'float':
      return { name, repetition_type, type: 'DOUBLE' }
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
