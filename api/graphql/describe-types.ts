import { getTableColumns, getTableName, is, Table } from 'drizzle-orm'
import { type GraphQLSchema, isObjectType } from 'graphql/index.js'
import marketTexts from '../db/market-texts.json' with { type: 'json' }

interface Texts {
  about: string
  columns: Record<string, string>
}

const views: Record<string, Texts> = marketTexts.views

/**
 * Describes the type of every table and its fields by the texts that the database has as comments (docs/tables.md). Their
 * names in backticks become those of GraphQL: `task_id` is `taskId`.
 */
export function describeTypes(schema: GraphQLSchema, tables: Record<string, unknown>): void {
  for (const [typeName, table] of Object.entries(tables)) {
    const type = schema.getType(typeName)
    if (!is(table, Table) || !isObjectType(type)) continue
    const texts = views[getTableName(table)]
    if (texts === undefined) continue
    const fields = type.getFields()
    type.description = toGraphqlNames(texts.about)
    for (const [name, column] of Object.entries(getTableColumns(table))) {
      const [field, text] = [fields[name], texts.columns[column.name]]
      if (field !== undefined && text !== undefined) field.description = toGraphqlNames(text)
    }
  }
}

function toGraphqlNames(text: string): string {
  return text.replaceAll(/`[^`]+`/g, (code) =>
    code.replaceAll(/_([a-z])/g, (_match, letter: string) => letter.toUpperCase()),
  )
}
