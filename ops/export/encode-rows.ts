import type { ExportFormat } from '../../api/exports/manifest.ts'
import type { TextRow } from '../../api/tabular/column-types.ts'
import { csvHeader, csvRowWriter } from '../../api/tabular/csv-rows.ts'
import { fixedColumns, type TableColumn } from '../../api/tabular/fixed-columns.ts'
import { jsonRowWriter } from '../../api/tabular/json-rows.ts'
import { parquetStream } from '../../api/tabular/parquet.ts'

/** An encoder of one file. Each function returns the bytes to append to the file. */
export interface RowEncoder {
  add(rows: readonly TextRow[]): Uint8Array
  end(): Uint8Array
}

/** Creates the encoder of a new file. The key is the file's format. The argument is the list of the file's columns. */
export const encoders: Readonly<Record<ExportFormat, (columns: readonly TableColumn[]) => RowEncoder>> = {
  parquet: (columns) => {
    const stream = parquetStream(fixedColumns(columns, []))
    return { add: (rows) => stream.addRows(fixedColumns(columns, rows)), end: stream.end }
  },
  csv: (columns) => {
    const write = csvRowWriter(columns)
    let header = csvHeader(columns)
    const add = (rows: readonly TextRow[]) => {
      const text = header + rows.map(write).join('')
      header = ''
      return Buffer.from(text)
    }
    return { add, end: () => add([]) }
  },
  ndjson: (columns) => {
    const write = jsonRowWriter(columns)
    return { add: (rows) => Buffer.from(rows.map((row) => `${write(row)}\n`).join('')), end: () => Buffer.alloc(0) }
  },
}
