import viewFacts from '../../db/view-facts.json' with { type: 'json' }
import type { ColumnRow } from './columns.queries.ts'

/** Facts of a view that the catalog does not have. */
interface ViewFacts {
  key: string | null
  nullable: readonly string[] | null
  references: Readonly<Record<string, string>>
}

const allFacts: Record<ColumnRow['schemaName'], Readonly<Record<string, ViewFacts>>> = viewFacts

/** Groups columns, which come table by table, into tables and schemas. */
export function toSchemas(columns: readonly ColumnRow[]) {
  return runsOf(columns, ({ schemaName }) => schemaName).map(([first, ofSchema]) => ({
    name: first.schemaName,
    meaning: first.schemaMeaning,
    tables: runsOf(ofSchema, ({ tableName }) => tableName).map(([{ tableName, tableMeaning }, ofTable]) => ({
      name: tableName,
      meaning: tableMeaning,
      ...toTable(ofTable, allFacts[first.schemaName][tableName]),
    })),
  }))
}

/** Rows with the same name that follow each other, with the first of them. */
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
