import { columnOf, type MarketColumn, type MarketTable, tableOf, tables } from './tables.ts'

/** A GraphQL field of a row whose value is the related row, or rows, of another table. */
export interface Relation {
  name: string
  description: string
  /** Column of the table that has the field. */
  from: MarketColumn
  to: MarketTable
  /** Column of the table `to` whose value must equal the value of `from`. */
  by: MarketColumn
  isList: boolean
}

/**
 * Tables that a column references, by the column's name. A column name has the same meaning in every table. `field` is
 * the name of the GraphQL field for the referenced row.
 */
const references: Record<string, { table: string; field: string }> = {
  taskId: { table: 'task', field: 'task' },
  vaultId: { table: 'sponsoredVault', field: 'sponsoredVault' },
  agentId: { table: 'identity', field: 'identity' },
  requester: { table: 'agent', field: 'requesterAgent' },
  worker: { table: 'agent', field: 'workerAgent' },
  evaluator: { table: 'agent', field: 'evaluatorAgent' },
}

/** Names of list fields of tasks that would otherwise both be called `tasks`. */
const listNames: Record<string, string> = { 'task.worker': 'assignedTasks', 'task.evaluator': 'evaluatedTasks' }

/**
 * Returns the relations of a table. Some lead to the rows that the table's own columns reference. The others lead to
 * the rows of other tables that reference the table. A relation to a list exists only if the referencing column has an
 * index, because the database would otherwise read the whole table for each row.
 */
export function relationsOf(table: MarketTable): Relation[] {
  return [...table.columns.values()].flatMap((column) => rowNamedBy(table, column)).concat(rowsThatName(table))
}

function rowNamedBy(table: MarketTable, column: MarketColumn): Relation[] {
  const reference = references[column.name]
  if (reference === undefined || reference.table === table.name) return []
  const to = tableOf(reference.table)
  const by = to.key
  const description = `The row of ${to.name} that \`${column.name}\` names; null: it has none.`
  return by === column ? [] : [{ name: reference.field, description, from: column, to, by, isList: false }]
}

function rowsThatName(table: MarketTable): Relation[] {
  return Object.entries(references).flatMap(([name, reference]) => {
    if (reference.table !== table.name) return []
    return tables.flatMap((to): Relation[] => {
      if (to === table || !to.columns.has(name)) return []
      const by = columnOf(to, name)
      const description = `The ${to.plural} whose \`${name}\` is this row.`
      const relation = { description, from: table.key, to, by }
      if (by === to.key) return [{ ...relation, name: to.name, isList: false }]
      return by.isIndexed ? [{ ...relation, name: listNames[`${to.name}.${name}`] ?? to.plural, isList: true }] : []
    })
  })
}
