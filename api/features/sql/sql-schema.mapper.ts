import viewFacts from '../../db/view-facts.json' with { type: 'json' }
import type { ColumnRow } from './columns.queries.ts'

/** Facts about a view that are missing in PostgreSQL's catalog: key column, nullable columns and foreign keys. */
interface ViewFacts {
  key: string | null
  nullable: readonly string[] | null
  references: Readonly<Record<string, string>>
}

const allFacts: Record<ColumnRow['schemaName'], Readonly<Record<string, ViewFacts>>> = viewFacts

/** Returns the database schemas of the given columns, each once. The columns must be ordered by schema. */
export function toSchemas(columns: readonly ColumnRow[]) {
  return runsOf(columns, ({ schemaName }) => schemaName).map(([{ schemaName, schemaMeaning }]) => ({
    name: schemaName,
    meaning: schemaMeaning,
  }))
}

/** Groups columns into their database tables. The columns must be ordered by table. */
export function toTables(columns: readonly ColumnRow[]) {
  const nameOf = ({ schemaName, tableName }: ColumnRow) => `${schemaName}.${tableName}`
  return runsOf(columns, nameOf).map(([{ schemaName, tableName, tableMeaning }, ofTable]) => ({
    schema: schemaName,
    name: tableName,
    meaning: tableMeaning,
    ...toTable(ofTable, allFacts[schemaName][tableName]),
  }))
}

/** Groups consecutive rows that have the same name. Each group is a pair of its first row and all its rows. */
function runsOf(rows: readonly ColumnRow[], nameOf: (row: ColumnRow) => string): [ColumnRow, ColumnRow[]][] {
  const runs: [ColumnRow, ColumnRow[]][] = []
  for (const row of rows) {
    const [first, run] = runs.at(-1) ?? []
    if (first !== undefined && nameOf(first) === nameOf(row)) run?.push(row)
    else runs.push([row, [row]])
  }
  return runs
}

function toTable(columns: readonly ColumnRow[], facts: ViewFacts | undefined) {
  const key = columns.find(({ columnName }) => columnName === facts?.key)?.columnName ?? null
  return {
    key,
    columns: columns.map(({ columnName, columnType, columnMeaning }) => ({
      name: columnName,
      type: columnType,
      nullable: facts?.nullable?.includes(columnName) ?? null,
      references: facts?.references[columnName] ?? null,
      meaning: columnMeaning,
    })),
  }
}
